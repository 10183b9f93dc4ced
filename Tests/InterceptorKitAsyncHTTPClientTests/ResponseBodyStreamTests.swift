#if AsyncHTTPClient
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

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
