#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport over its lifetime",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct EngineTests {
    @Test("closes its connections when it and its last body are released")
    func dropped() async throws {
        let server = try LoopbackServer { _ in
            .text("hello").bodyDelayed(by: .milliseconds(20))
        }
        var transport: AsyncHTTPClientTransport? = AsyncHTTPClientTransport()

        let response = try await transport?.send(.get(server.url("/")), call: Call())
        transport = nil
        let text = try await response?.text()

        expectEqual(text, "hello")
        try await server.waitForOpenConnections(0)
    }

    @Test("ends running requests and refuses new ones when shut down")
    func shutDown() async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer { request in
            request.path == "/body" ? .text("0123456789").stalledInBody(after: 4) : .stalled
        }
        let response = try await transport.send(.get(server.url("/body")), call: Call())
        let task = Task { try await transport.send(.get(server.url("/head")), call: Call()) }
        try await server.waitForRequests(2)

        transport.close()
        await transport.shutdown()
        await transport.shutdown()

        let inBody = await #expect(throws: TransportError.self) {
            try await response.body.collect()
        }
        let inHead = await #expect(throws: TransportError.self) { try await task.value }
        let after = await #expect(throws: TransportError.self) {
            try await transport.send(.get(server.url("/")), call: Call())
        }
        expectEqual([inBody, inHead, after].map(\.?.code), [.closed, .closed, .closed])
        expectEqual(after?.isUnsent, true)
        try await server.waitForOpenConnections(0)
    }

    @Test("serves a server's calls until it is shut down after the server")
    func afterTheServer() async throws {
        let server = try LoopbackServer { _ in .text("7") }
        func serve(with client: HTTP.Client) async throws {
            let response = try await client.send(.get(server.url("/orders")))
            try await expectEqual(response.text(), "7")
        }

        let transport = AsyncHTTPClientTransport()
        let client = try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .standard)
        }
        try await serve(with: client)
        await transport.shutdown()

        try await server.waitForOpenConnections(0)
    }

    @Test("does not shut down a client that was passed to it")
    func given() async throws {
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        let server = try LoopbackServer { _ in .redirect(to: "/elsewhere") }

        for _ in 0..<2 {
            let transport = AsyncHTTPClientTransport(client)
            let response = try await transport.send(.get(server.url("/")), call: Call())
            await response.body.discard()
            expectEqual(response.status, 302)
            await transport.shutdown()
        }
        try await client.shutdown()

        expectEqual(server.connectionCount, 1)
    }
}
#endif
