#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The result of an attempt to receive or send without blocking.
enum Transfer {
    case bytes(Int)
    case wouldBlock
    /// The peer has finished or the connection is broken.
    case ended
}

extension Descriptor {
    func receive(into buffer: inout [UInt8]) -> Transfer {
        while true {
            // Safety: `recv` is lent the whole buffer with its own count.
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(number, $0.baseAddress, $0.count, 0)
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    func send(_ bytes: [UInt8], from start: Int) -> Transfer {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            // Safety: `start` counts bytes sent before, so it is at most `all.count`.
            let count = unsafe bytes.withUnsafeBytes { all in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
                return unsafe systemSend(number, rest.baseAddress, rest.count, flags)
            }
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    /// The number of bytes sent that the peer's system has not yet taken.
    var unacknowledged: Int {
        var count: Int32 = 0
        #if canImport(Darwin)
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(number, SOL_SOCKET, SO_NWRITE, &count, &size)
        #else
        // Safety: TIOCOUTQ writes one C `int`.
        _ = unsafe ioctl(number, UInt(TIOCOUTQ), &count)
        #endif
        return Int(count)
    }
}

// The member above hides the function of the same name.
private func systemSend(
    _ number: Int32,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ flags: Int32
) -> Int {
    unsafe send(number, bytes, count, flags)
}
