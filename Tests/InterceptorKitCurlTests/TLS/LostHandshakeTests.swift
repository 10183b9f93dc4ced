#if os(Linux)
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import TestRun
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Accepts one connection, reads of it, and ends it, as a server that goes away in the handshake.
private final class LeavingServer: Sendable {
    private let listener: Int32
    let port: Int

    init() throws {
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
        try #require(isBound && listen(listener, 8) == 0)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    func endNext(withReset: Bool) {
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

@Suite("CurlTransport, losing its server in the TLS handshake", .tags(.sockets))
struct LostHandshakeTests {
    @Test("says that no connection was made and nothing was sent", arguments: [true, false])
    func lost(withReset: Bool) async throws {
        let server = try LeavingServer()
        let leaving = Thread { server.endNext(withReset: withReset) }
        leaving.start()
        let client = try HTTP.Client(transport: CurlTransport())

        let error = await #expect(throws: TransportError.self) {
            try await client.send(.get(HTTP.URL(unvalidated: "https://127.0.0.1:\(server.port)/")))
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
    }
}
#endif
