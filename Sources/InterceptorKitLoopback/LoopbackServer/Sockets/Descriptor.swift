#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A socket's descriptor, closed when its owner releases it.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes over an open descriptor and makes it non-blocking, not inherited by child processes, and free of SIGPIPE.
    init(owning number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
        set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    deinit { close(number) }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        // Safety: the system reads as many bytes as the given size, which is the variable's own.
        var value = value
        _ = unsafe setsockopt(
            number,
            level,
            option,
            &value,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// Makes closing send RST and drop unsent bytes.
    func resetWhenClosed() {
        var setting = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            number,
            SOL_SOCKET,
            SO_LINGER,
            &setting,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    /// Signals the end of the data to the peer.
    func finishSending() { _ = shutdown(number, Int32(SHUT_WR)) }
}
