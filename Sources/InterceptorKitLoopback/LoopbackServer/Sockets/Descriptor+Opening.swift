import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Descriptor {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    // Linux's default limit of waiting connections.
    private static let backlog: Int32 = 4096

    /// Opens a socket that listens on 127.0.0.1.
    static func listening(port: Int) throws(TestKitError) -> Descriptor {
        guard let wanted = in_port_t(exactly: port) else {
            throw TestKitError(.cannotStart, "\(port) is not a port; use 0 to 65535.")
        }
        let number = socket(AF_INET, stream, 0)
        guard number >= 0 else { throw .failed("No socket could be opened") }
        let listener = Descriptor(owning: number)
        listener.set(SOL_SOCKET, SO_REUSEADDR, 1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Safety: every socket address begins as `sockaddr` does, and its own size is given.
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0 else { throw .failed("127.0.0.1:\(port) could not be bound") }
        guard listen(number, backlog) == 0 else {
            throw .failed("127.0.0.1:\(port) could not be listened on")
        }
        return listener
    }

    var localPort: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safety: at most `size` bytes are written, the size of the address.
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(number, $0, &size)
            }
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    /// The result of an attempt to accept a waiting connection.
    enum Acceptance: ~Copyable {
        case connection(Descriptor)
        case none
        /// The process or the system has no descriptor left.
        case exhausted
    }

    func accept() -> Acceptance {
        while true {
            let number = systemAccept(number)
            if number >= 0 {
                let connection = Descriptor(owning: number)
                connection.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                return .connection(connection)
            }
            if errno == EINTR || errno == ECONNABORTED { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .none : .exhausted
        }
    }

    /// Returns two connected sockets: writing to one wakes the poll of the other.
    static func pair() throws(TestKitError) -> SocketPair {
        var numbers: [Int32] = [-1, -1]
        // Safety: two numbers are written, to an array of two.
        guard unsafe socketpair(AF_UNIX, stream, 0, &numbers) == 0 else {
            throw .failed("No pair of sockets could be opened")
        }
        return SocketPair(
            near: Descriptor(owning: numbers[0]),
            far: Descriptor(owning: numbers[1])
        )
    }

    /// Blocks until the other end of a pair is closed.
    static func waitForEnd(of number: Int32) {
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        // Safety: one entry is passed, with the count 1.
        while unsafe poll(&entry, 1, -1) < 0 {}
    }
}

struct SocketPair: ~Copyable {
    let near: Descriptor
    let far: Descriptor
}

// The member above hides the function of the same name.
private func systemAccept(_ number: Int32) -> Int32 { accept(number, nil, nil) }

extension TestKitError {
    // Called right after the call that failed, while `errno` is still that of the call.
    static func failed(_ what: String, _ number: Int32 = errno) -> Self {
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        let reason = unsafe String(cString: strerror(number))
        return Self(.cannotStart, "\(what): \(reason).")
    }
}
