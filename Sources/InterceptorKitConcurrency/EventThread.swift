#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A detached thread that runs one function.
package enum EventThread {
    private final class Box {
        let operation: () -> Void

        init(_ operation: @escaping () -> Void) { self.operation = operation }
    }

    /// Starts a thread that runs a function to its end and owns the function's captures from then on.
    /// - Returns: The system's error number if no thread could be started; `nil` if the thread runs.
    package static func start(_ operation: sending @escaping () -> Void) -> Int32? {
        // Safety: the one reference made here goes to the new thread, which releases it after the
        // function's end, or is released below if there is no thread; nobody else has the box.
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
            return code
        }
        // Detached, because the function itself signals its end.
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
        return nil
    }

    /// The system's number of the calling thread, which another thread may get after this one's end.
    package static var current: UInt {
        #if canImport(Glibc)
        pthread_self()
        #else
        UInt(bitPattern: unsafe pthread_self())
        #endif
    }

    // A write to a connection that the peer has closed raises SIGPIPE in some TLS libraries, which would end the
    // process. While the signal is blocked, the write fails with an ordinary error instead.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
