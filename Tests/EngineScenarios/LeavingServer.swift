#if os(Linux)
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Accepts one connection, reads of it, and ends it, as a server that goes away in the handshake.
package final class LeavingServer: Sendable {
    private let listener: Int32
    package let port: Int

    package init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound, listen(listener, 8) == 0 else { throw CocoaError(.fileReadUnknown) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    package func endNext(withReset: Bool) {
        let connection = accept(listener, nil, nil)
        var byte: UInt8 = 0
        _ = unsafe recv(connection, &byte, 1, 0)
        // With bytes unread, the end is a reset.
        if !withReset {
            var rest = [UInt8](repeating: 0, count: 1 << 16)
            _ = unsafe recv(connection, &rest, rest.count, 0)
        }
        close(connection)
    }
}
#endif
