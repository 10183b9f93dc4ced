#if os(Linux)
import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitCurl
import TestRun
import Testing

@Suite("CurlTransport, losing its server in the TLS handshake", .tags(.sockets))
struct LostHandshakeTests {
    @Test("says that no connection was made and nothing was sent", arguments: [true, false])
    func lost(withReset: Bool) async throws {
        let server = try LeavingServer()
        let leaving = Thread { server.endNext(withReset: withReset) }
        leaving.start()
        let client = try HTTP.Client(transport: CurlTransport(), timeout: nil)

        let error = await #expect(throws: TransportError.self) {
            try await client.send(.get(HTTP.URL(unvalidated: "https://127.0.0.1:\(server.port)/")))
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
    }
}
#endif
