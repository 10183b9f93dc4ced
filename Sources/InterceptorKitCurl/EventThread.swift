#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A detached thread that runs one function.
enum EventThread {
    private final class Box {
        let operation: @Sendable () -> Void

        init(_ operation: @escaping @Sendable () -> Void) { self.operation = operation }
    }

    /// - Returns: Whether a thread could be started.
    static func start(_ operation: @escaping @Sendable () -> Void) -> Bool {
        // The thread owns the box from here on, unless there is none.
        let box = unsafe Unmanaged.passRetained(Box(operation))
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = unsafe pthread_create(
            &thread,
            nil,
            { pointer in
                #if canImport(Glibc) || canImport(Musl)
                guard let pointer = unsafe pointer else { return nil }
                #endif
                let box = unsafe Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue()
                EventThread.blockBrokenPipes()
                box.operation()
                return nil
            },
            box.toOpaque()
        )
        guard code == 0 else {
            unsafe box.release()
            return false
        }
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
        return true
    }

    // A write to a connection that the other side has closed raises SIGPIPE in some TLS libraries, which
    // would end the process; blocked here, it is an error like any other.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
