#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A client that sends bytes and reads bytes, blocking, at most five seconds a call.
final class RawClient {
    /// What came, and how it ended.
    enum End: Equatable { case closed, reset, timedOut, enough }

    private let number: Int32
    private(set) var end = End.enough

    init(port: Int) throws {
        #if canImport(Glibc)
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        number = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        #if canImport(Darwin)
        var on: Int32 = 1
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, 4)
        #endif
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        _ = unsafe setsockopt(
            number,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw Failure.cannotConnect }
    }

    deinit { close(number) }

    enum Failure: Error { case cannotConnect }

    /// Sends all of it; false if the connection broke before.
    @discardableResult
    func send(_ text: String) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe systemSend(number, $0.baseAddress, $0.count, flags)
            }
            if count <= 0 { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Reads until the text ends as given and returns what came in this call.
    func read(until ending: String) -> String {
        read { $0.hasSuffix(ending) }
    }

    /// Reads until the server closes and returns what came in this call.
    func readToEnd() -> String {
        read { _ in false }
    }

    /// Whether the server's closing has arrived here; does not wait.
    var isOver: Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno == ECONNRESET
    }

    private func read(_ isEnough: (String) -> Bool) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !isEnough(text) {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(number, $0.baseAddress, $0.count, 0)
            }
            if count <= 0 {
                end = count == 0 ? .closed : errno == ECONNRESET ? .reset : .timedOut
                return text
            }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        end = .enough
        return text
    }
}

private func systemSend(
    _ number: Int32,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ flags: Int32
) -> Int {
    unsafe send(number, bytes, count, flags)
}
