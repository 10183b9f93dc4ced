import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("CallRegistry")
struct CallRegistryTests {
    private let registry = CallRegistry()

    @Test("keeps bodies that are held, and forgets those that are gone")
    func sweeping() async throws {
        var held: [HTTP.Response] = []
        for _ in 0..<100 {
            held.append(
                try await registry.run { .init(body: .oneShot(CountingStream(chunks: 1))) }
            )
        }
        let open = registry.openBodies
        held = []

        for _ in 0..<1000 {
            _ = try await registry.run { .init(body: .oneShot(CountingStream(chunks: 1))) }
        }

        expectEqual(open, 100)
        expectEqual(registry.openBodies, 0)
        // The list had doubled to 128 places or more when the first were gone.
        expectTrue(registry.counts.bodies <= 256)
    }

    @Test("keeps no place for a body that can be read again")
    func replayable() async throws {
        _ = try await registry.run { HTTP.Response(body: "tea") }

        expectEqual(registry.counts.bodies, 0)
    }

    @Test("counts calls and transfers apart, also after one that failed")
    func counts() async throws {
        let registry = registry

        let within = try await registry.runTransfer {
            let alone = [registry.counts.calls, registry.openTransfers]
            let inCall = Recorder<[Int]>()
            _ = try await registry.run {
                inCall.note([registry.counts.calls, registry.openTransfers])
                return HTTP.Response()
            }
            return [alone] + inCall.entries
        }
        await #expect(throws: Problem()) { try await registry.run { throw Problem() } }

        expectEqual(within, [[0, 1], [1, 1]])
        expectTrue(registry.counts.calls == 0 && registry.openTransfers == 0)
    }

    @Test("runs nothing that was asked for before all was cancelled")
    func started() async throws {
        let ran = Recorder<Int>()
        let asked = registry.cancellations
        try await registry.runStarted(since: asked) { ran.note(1) }

        registry.cancelAll()
        await #expect(throws: CancellationError.self) {
            try await registry.runStarted(since: asked) { ran.note(2) }
        }
        try await registry.runStarted(since: registry.cancellations) { ran.note(3) }

        expectEqual(ran.entries, [1, 3])
    }
}

extension CallRegistry {
    /// Runs a call that ends in a closure.
    fileprivate func run(
        _ answer: @escaping @Sendable () throws -> HTTP.Response
    ) async throws -> HTTP.Response {
        let pipeline = try Pipeline([], transport: CannedTransport(answer))
        let call = ClientCall(
            .get(orders),
            through: pipeline,
            pipeline.makeCall(),
            within: nil,
            endsLate: true
        )
        await run(call)
        return try call.response()
    }
}
