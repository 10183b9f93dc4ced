import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

@Suite(
    "A request body that stalls and ignores cancellation",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct BodyReadingTests {
    private let server: LoopbackServer
    private let transport = URLSessionTransport()
    private let stream = StalledStream()

    init() throws { server = try LoopbackServer { _ in .status(200) } }

    private var request: HTTP.Request { .put(server.url("/"), body: .oneShot(stream)) }

    @Test("does not hold its call past the deadline, and is released later")
    func deadline() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, call: Call().withDeadline(within: .milliseconds(50)))
        }
        stream.gate.open()
        await transport.registry.idle()

        expectEqual(error?.code, .timedOut)
        expectEqual(error?.isUnsent, true)
        expectEqual(server.connectionCount, 0)
    }

    @Test("does not hold its call past cancellation")
    func cancellation() async throws {
        let task = Task { [transport, request] in
            try await transport.send(request, call: Call())
        }
        try await stream.gate.waitForArrivals(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        stream.gate.open()
        await transport.registry.idle()
        expectEqual(server.connectionCount, 0)
    }

    @Test("does not hold its call past the transport's end")
    func closing() async throws {
        let task = Task { [transport, request] in
            try await transport.send(request, call: Call())
        }
        try await stream.gate.waitForArrivals(1)

        transport.close()

        let error = await #expect(throws: TransportError.self) { try await task.value }
        expectEqual(error?.code, .closed)
        expectEqual(error?.isUnsent, true)
        stream.gate.open()
        await transport.registry.idle()
    }

    @Test("is not read when the transport is closed")
    func closedBefore() async throws {
        transport.close()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, call: Call())
        }

        expectEqual(error?.code, .closed)
        expectEqual(stream.gate.held, 0)
    }
}

/// Makes nothing, whatever is cancelled, until its gate opens.
private final class StalledStream: HTTP.BodyStream {
    let gate = Gate("standing stream")

    func next() async throws -> Data? {
        // Not by the reader's task, whose cancellation the gate would heed.
        try await Task { [gate] in try await gate.pass() }.value
        return nil
    }

    func cancel() {}
}
