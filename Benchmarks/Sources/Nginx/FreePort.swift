#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ports of the loopback interface.
enum Loopback {
    /// A port that nobody listened on a moment ago.
    static func freePort() -> UInt16? {
        withSocket { socket in
            var address = address(port: 0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withSocketAddress(&address) { bind(socket, $0, size) == 0 }
            let isNamed =
                isBound && withSocketAddress(&address) { getsockname(socket, $0, &size) == 0 }
            return isNamed ? UInt16(bigEndian: address.sin_port) : nil
        }
    }

    /// Whether somebody listens on a port.
    static func isAnswering(port: UInt16) -> Bool {
        withSocket { socket in
            var address = address(port: port)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            return withSocketAddress(&address) { connect(socket, $0, size) == 0 }
        } ?? false
    }

    private static func withSocket<Result>(_ body: (CInt) -> Result?) -> Result? {
        #if canImport(Glibc)
        let kind = CInt(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
