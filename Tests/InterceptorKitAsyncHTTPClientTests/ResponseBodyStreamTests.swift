#if AsyncHTTPClient
import AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import NIOCore
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitAsyncHTTPClient

@Suite("ResponseBodyStream", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ResponseBodyStreamTests {
    private let transport = AsyncHTTPClientTransport()

    @Test("delivers a large body whole")
    func largeBody() async throws {
        let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer { _ in
            .status(200, body: content).chunked(size: 70_000)
        }

        let response = try await transport.send(.get(server.url("/")), call: Call())
        let data = try await response.body.collect()

        expectEqual(data, content)
    }

    @Test("gives others a turn although every chunk is here when it is read")
    func turns() throws {
        let hadTurn = try Simulation.run(seed: 1) { simulation in
            let (buffers, source) = AsyncStream.makeStream(of: ByteBuffer.self)
            let request = HTTP.Request.get("http://h.example/")
            let body = ResponseBodyStream(
                .stream(buffers),
                length: nil,
                to: request,
                sentWith: try await OutgoingRequest(request, call: Call()),
                over: Engine(.shared, isOwn: false, decompresses: false)
            )
            let hadTurn = Lock(false)
            let other = Task { hadTurn.withLock { $0 = true } }
            for _ in 0..<64 {
                source.yield(ByteBuffer(string: "x"))
                _ = try await body.next()
            }
            let had = hadTurn.withLock { $0 }
            await other.value
            return had
        }

        expectTrue(hadTurn)
    }

    @Test("closes the connection when it is cancelled unread")
    func cancelledUnread() async throws {
        let server = try LoopbackServer { _ in .text("0123456789").stalledInBody(after: 4) }
        let response = try await transport.send(.get(server.url("/")), call: Call())

        response.body.cancel()

        try await server.waitForOpenConnections(0)
        await #expect(throws: CancellationError.self) { try await response.body.collect() }
    }
}
#endif
