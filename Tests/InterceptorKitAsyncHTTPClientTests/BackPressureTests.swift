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

/// What stands still on one side must stop the other one, or a slow peer fills the memory.
@Suite(
    "AsyncHTTPClientTransport with slow peers",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct BackPressureTests {
    // Both sockets' buffers, which Linux lets grow to 32 MiB and 4 MiB, as much again that is under way
    // between them, and a few chunks in NIO are below: 54 MiB were seen.
    private static let bound = 80 << 20
    fileprivate static let chunk = Data(count: 1 << 20)
    fileprivate static let count = 256

    @Test("makes the server stop sending when the reader pauses")
    func slowReader() async throws {
        let made = Made()
        let server = try LoopbackServer { request in
            request.path == "/small" ? .text("small") : .status(200, body: made.chunks)
        }
        let transport = AsyncHTTPClientTransport()

        let response = try await transport.send(.get(server.url("/")), call: Call())
        try await passTime(with: transport, server)
        let early = made.count
        var size = 0
        for try await chunk in response.body { size += chunk.count }

        expectTrue(early << 20 <= BackPressureTests.bound)
        expectTrue(size == BackPressureTests.count << 20)
    }

    @Test("pauses the request body's stream when the server does not read")
    func slowServer() async throws {
        var options = LoopbackServer.Options()
        options.acceptsConnections = false
        let deaf = try LoopbackServer(options: options) { _ in .status(200) }
        let server = try LoopbackServer { _ in .text("small") }
        let made = Made()
        let transport = AsyncHTTPClientTransport()

        let task = Task {
            try await transport.send(.put(deaf.url("/"), body: made.chunks), call: Call())
        }
        try await passTime(with: transport, server)
        let early = made.count
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        expectTrue(early > 0)
        expectTrue(early << 20 <= BackPressureTests.bound)
    }

    // A thousand exchanges are time enough for what would not wait.
    private func passTime(
        with transport: AsyncHTTPClientTransport,
        _ server: LoopbackServer
    ) async throws {
        for _ in 0..<1000 {
            _ = try await transport.send(.get(server.url("/small")), call: Call()).text()
        }
    }
}

/// Chunks that are made when they are asked for, and how many were.
private final class Made: Sendable {
    private let made = Lock(0)

    var count: Int { made.withLock(\.self) }

    var chunks: HTTP.Body {
        .oneShot(
            AsyncStream {
                let number = self.made.withLock { made in
                    made += 1
                    return made
                }
                return number <= BackPressureTests.count ? BackPressureTests.chunk : nil
            }
        )
    }
}
#endif
