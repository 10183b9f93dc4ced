#if AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@Suite("RequestBodyStream", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct RequestBodyStreamTests {
    @Test("ends an endless upload and its body stream on an early response")
    func earlyRefusal() async throws {
        let transport = AsyncHTTPClientTransport()
        var options = LoopbackServer.Options()
        options.earlyReply = { _ in
            .text("too large", status: 413).delayed(by: .milliseconds(50))
        }
        let server = try LoopbackServer(options: options) { _ in .status(200) }
        let body = EndlessBody()

        let response = try await transport.send(
            .put(server.url("/"), body: body.chunks),
            call: Call()
        )
        let text = try await response.text()
        // A refusal that comes at once leaves nothing to make.
        if body.hasBegun { await body.waitUntilEnded() }

        expectEqual(response.status, 413)
        expectEqual(text, "too large")
    }

    @Test("ends the request body's stream when the call is cancelled")
    func cancelledInBody() async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer { _ in .status(200) }
        let body = EndlessBody()
        let task = Task {
            try await transport.send(.put(server.url("/"), body: body.chunks), call: Call())
        }
        await body.waitUntilBegun()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await body.waitUntilEnded()
        expectTrue(server.requests.isEmpty)
    }

    @Test("completes no request whose body is shorter or longer than stated", arguments: [2, 4])
    func mismatch(length: Int) async throws {
        let transport = AsyncHTTPClientTransport()
        let server = try LoopbackServer { _ in .status(200) }
        let three = AsyncStream<Data> { source in
            source.yield(Data("abc".utf8))
            source.finish()
        }

        let error = await #expect(throws: TransportError.self) {
            let body = HTTP.Body.oneShot(length: length, three)
            _ = try await transport.send(.put(server.url("/"), body: body), call: Call())
        }

        expectEqual(error?.code, .other)
        expectTrue(server.requests.isEmpty)
    }
}

/// A body without a first chunk, and what happened to its making.
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
