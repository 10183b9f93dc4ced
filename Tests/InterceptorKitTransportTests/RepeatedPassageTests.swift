import Foundation
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport
import Testing

@Suite("URLSessionTransport, proceeding twice", .timeLimit(.minutes(1)))
struct RepeatedPassageTests {
    // OkHttp needs the first body closed by hand (square/okhttp issue 4986).
    @Test("sends a second time although the first body was not read, and ends its transfer")
    func unreadBody() async throws {
        let server = try LoopbackServer.start { request in
            guard request.number == 1 else { return .text("second") }
            return .status(200, body: Data(repeating: 0x61, count: 1 << 20))
                .stalledInBody(after: 1 << 16)
        }
        defer { server.stop() }
        let pipeline = try Pipeline(transport: URLSessionTransport()) {
            AnyInterceptor<HTTP.Request>("twice") { chain in
                _ = try await chain.proceed()
                return try await chain.proceed()
            }
        }

        let response = try await pipeline.run(.get(server.url("/")))

        #expect(try await response.text() == "second")
        // The first connection, whose reply never ends, is closed; the second may be kept.
        try await server.waitForOpenConnections(1)
        #expect(server.connectionCount == 2)
    }
}
