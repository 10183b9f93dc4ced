#if os(Linux)
import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTransport
import TestRun
import Testing

@Suite("URLSessionTransport, losing its server in the TLS handshake", .tags(.sockets))
struct LostHandshakeTests {
    // Of a reset it says the same within a request, which may then have arrived.
    @Test("says that no connection was made and nothing was sent")
    func lost() async throws {
        let server = try LeavingServer()
        let leaving = Thread { server.endNext(withReset: false) }
        leaving.start()
        let client = HTTP.Client(transport: URLSessionTransport(), timeout: nil)

        let error = await #expect(throws: TransportError.self) {
            try await client.send(.get(HTTP.URL(unvalidated: "https://127.0.0.1:\(server.port)/")))
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
    }
}
#endif
