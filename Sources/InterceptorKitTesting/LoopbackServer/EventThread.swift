#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells threads apart.
struct ThreadIdentity: Hashable {
    private let number: UInt

    static var current: Self {
        #if canImport(Glibc)
        Self(number: UInt(pthread_self()))
        #else
        unsafe Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}

/// The thread a server's loop runs on.
enum EventThread {
    private final class Box {
        let loop: EventLoop

        init(_ loop: EventLoop) { self.loop = loop }
    }

    /// Starts a thread that runs the loop to its end and owns it from here on.
    static func start(_ loop: sending EventLoop) throws(LoopbackServerError) {
        let box = unsafe Unmanaged.passRetained(Box(loop))
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
                box.loop.run()
                return nil
            },
            box.toOpaque()
        )
        guard code == 0 else {
            unsafe box.release()
            let reason = unsafe String(cString: strerror(code))
            throw LoopbackServerError(.cannotStart, "No thread could be started: \(reason).")
        }
        // The end of the thread is known by the wake-up socket, so nobody joins it.
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
    }
}
