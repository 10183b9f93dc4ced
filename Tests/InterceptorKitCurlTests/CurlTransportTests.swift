import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitTesting
import Testing

@Suite("CurlTransport", .timeLimit(.minutes(1)))
struct CurlTransportTests {
    @Test("sends a request and brings back its answer")
    func exchange() async throws {
        let transport = try CurlTransport()
        let server = try LoopbackServer.start { _ in .text("hello") }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let text = try await response.text()

        #expect(response.status == 200)
        #expect(text == "hello")
    }
}
