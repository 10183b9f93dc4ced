#if AsyncHTTPClient && os(Linux)
import AsyncHTTPClient
import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport, losing its server in the TLS handshake",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct LostHandshakeTests {
    // In a client that others configured, a reset may be of a connection in use.
    @Test(
        "says that no connection was made and nothing was sent, if sure",
        arguments: [true, false],
        [true, false]
    )
    func lost(withReset: Bool, inOwnClient: Bool) async throws {
        let server = try LeavingServer()
        let leaving = Thread { server.endNext(withReset: withReset) }
        leaving.start()
        let given = HTTPClient(configuration: AsyncHTTPClientTransport.defaultConfiguration)
        let transport = inOwnClient ? AsyncHTTPClientTransport() : AsyncHTTPClientTransport(given)
        let url = HTTP.URL("https://127.0.0.1:\(raw: "\(server.port)")/")

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post(url, body: "x"), call: Call())
        }

        let isSure = inOwnClient || !withReset
        expectEqual(error?.code, isSure ? .cannotConnect : .connectionLost)
        expectEqual(error?.isUnsent, isSure)
        try await given.shutdown()
    }
}
#endif
