#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite(
    "AsyncHTTPClientTransport over its lifetime",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(1))
)
struct AsyncHTTPClientTransportLifetimeTests {
    @Test("closes its connections when it and its last body are released")
    func dropped() async throws {
        let server = try LoopbackServer.start { _ in
            .text("hello").bodyDelayed(by: .milliseconds(20))
        }
        var transport: AsyncHTTPClientTransport? = AsyncHTTPClientTransport()

        let response = try await transport?.send(.get(server.url("/")), call: Call())
        transport = nil
        let text = try await response?.text()

        #expect(text == "hello")
        try await server.waitForOpenConnections(0)
    }

    @Test("ends running requests and refuses new ones when shut down")
    func shutDown() async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer.start { request in
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
        #expect([inBody, inHead, after].map(\.?.code) == [.closed, .closed, .closed])
        #expect(after?.isCertainlyUnsent == true)
        try await server.waitForOpenConnections(0)
    }

    @Test("does not shut down a client that was passed to it")
    func given() async throws {
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        let server = try LoopbackServer.start { _ in .redirect(to: "/elsewhere") }

        for _ in 0..<2 {
            let transport = AsyncHTTPClientTransport(client)
            let response = try await transport.send(.get(server.url("/")), call: Call())
            await response.body.discard()
            #expect(response.status == 302)
            await transport.shutdown()
        }
        try await client.shutdown()

        #expect(server.connectionCount == 1)
    }

    @Test("closes the connection when an unread body is cancelled")
    func cancelledUnread() async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer.start { _ in .text("0123456789").stalledInBody(after: 4) }
        let response = try await transport.send(.get(server.url("/")), call: Call())

        response.body.cancel()

        try await server.waitForOpenConnections(0)
        await #expect(throws: CancellationError.self) { try await response.body.collect() }
    }

    @Test("ends an endless upload and its body stream on an early response")
    func earlyRefusal() async throws {
        let transport = AsyncHTTPClientTransport()
        var options = LoopbackServer.Options()
        options.earlyReply = { _ in
            .text("too large", status: 413).delayed(by: .milliseconds(50))
        }
        let server = try LoopbackServer.start(options: options) { _ in .status(200) }
        let body = EndlessBody()

        let response = try await transport.send(
            .put(server.url("/"), body: body.chunks),
            call: Call()
        )
        let text = try await response.text()
        // A refusal that comes at once leaves nothing to make.
        if body.hasBegun { await body.waitUntilEnded() }

        #expect(response.status == 413)
        #expect(text == "too large")
    }

    @Test("ends the request body's stream when the call is cancelled")
    func cancelledInBody() async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer.start { _ in .status(200) }
        let body = EndlessBody()
        let task = Task {
            try await transport.send(.put(server.url("/"), body: body.chunks), call: Call())
        }
        await body.waitUntilBegun()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await body.waitUntilEnded()
        #expect(server.requests.isEmpty)
    }
}

/// A body without a first chunk, and what became of its making.
private final class EndlessBody: Sendable {
    private let begun = Lock(false)
    private let beginning = AsyncStream.makeStream(of: Void.self)
    private let ending = AsyncStream.makeStream(of: Void.self)

    var hasBegun: Bool { begun.withLock(\.self) }

    var chunks: HTTP.Body {
        .replayable {
            self.begun.withLock { $0 = true }
            self.beginning.continuation.finish()
            return AsyncStream<Data> { source in
                source.onTermination = { _ in self.ending.continuation.finish() }
            }
        }
    }

    func waitUntilBegun() async { for await _ in beginning.stream {} }

    func waitUntilEnded() async { for await _ in ending.stream {} }
}
#endif
