import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("ExchangeObserver")
struct ExchangeObserverTests {
    private let heads = Recorder<ObservedExchange>()
    private let bodies = Recorder<(HTTP.BodyRecord, end: Runtime.Instant)>()

    private func watch(upTo limit: Int?) -> ExchangeObserver {
        let (heads, bodies) = (heads, bodies)
        return ExchangeObserver(bodyLimit: limit) {
            heads.note($0)
        } onEnd: { _, record, end in
            bodies.note((record, end))
        }
    }

    private func send(
        upTo limit: Int?,
        _ answer: @escaping @Sendable () throws -> HTTP.Response
    ) async throws -> HTTP.Response {
        let watch = watch(upTo: limit)
        let pipeline = try Pipeline(transport: CannedTransport(answer)) {
            AnyInterceptor<HTTP.Request>("watch") { chain in try await watch.pass(chain) }
        }
        return try await pipeline.run(.get(orders))
    }

    @Test("knows when a pass began, its head came and its body ended")
    func times() throws {
        let watch = watch(upTo: 2)
        try Simulation.run { simulation in
            let stream = PausingStream([.seconds(1), .seconds(1), .seconds(1)], simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .reply(HTTP.Response(200, body: .oneShot(stream))).delayed(by: .seconds(2))
            ])
            let client = try simulation.client(transport) {
                AnyInterceptor("watch") { chain in try await watch.pass(chain) }
            }
            _ = try await client.send(.get(orders)).body.collect()
        }

        let head = try unwrap(heads.entries.first)
        let (record, end) = try unwrap(bodies.entries.first)
        expectTrue(heads.entries.count == 1 && bodies.entries.count == 1)
        expectEqual(head.began.duration(to: head.responded), .seconds(2))
        expectEqual(head.responded.duration(to: end), .seconds(3))
        expectTrue(record.count == 3 && record.beginning == Data("xx".utf8))
    }

    @Test("tells of a failure once, passes it on, and tells of no body")
    func failure() async throws {
        await #expect(throws: Problem()) { try await send(upTo: 9) { throw Problem() } }

        expectEqual(heads.entries.count, 1)
        guard case .failure(is Problem)? = heads.entries.first?.outcome else {
            Issue.record("The failure is not what was thrown.")
            return
        }
        expectTrue(bodies.entries.isEmpty)
    }

    @Test("keeps a body in memory at once, and leaves it there")
    func inMemory() async throws {
        let response = try await send(upTo: 2) { HTTP.Response(200, body: "tea") }

        expectEqual(response.body.inMemory, Data("tea".utf8))
        expectEqual(bodies.entries.map(\.0.beginning), [Data("te".utf8)])
        expectEqual(bodies.entries.map(\.0.count), [3])
    }

    @Test("leaves bodies alone without a limit, and those that can be read again")
    func unwatched() async throws {
        let without = try await send(upTo: nil) {
            HTTP.Response(200, body: .oneShot(CountingStream(chunks: 1)))
        }
        let again = try await send(upTo: 9) {
            HTTP.Response(200, body: .replayable { CountingStream(chunks: 1) })
        }

        _ = try await without.body.collect()
        _ = try await again.body.collect()

        expectEqual(heads.entries.count, 2)
        expectTrue(bodies.entries.isEmpty)
    }
}
