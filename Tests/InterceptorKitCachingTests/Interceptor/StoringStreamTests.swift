import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("StoringStream")
struct StoringStreamTests {
    @Test("a body is stored once it was read to its end, and not before")
    func whole() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore()
            let service = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 3)) }

            let response = try await service.get()
            await expectEqual(store.usage().entries, 0)
            try await expectEqual(response.body.collect().count, 3 * 1024)

            await expectEqual(store.usage().entries, 1)
            try await expectEqual(service.get().cacheStatus, .hit)
        }
    }

    @Test("a body that is interrupted, too short or released is not stored")
    func truncated() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore()
            let broken = try streaming(simulation, store) {
                .oneShot(DrippingStream(simulation.runtime, breaking: (3, Problem())))
            }
            await #expect(throws: Problem.self) { try await broken.text() }

            let short = try streaming(simulation, store, ["Content-Length": "4096"]) {
                .oneShot(CountingStream(chunks: 3))
            }
            _ = try await short.text()

            let left = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 99)) }
            let response = try await left.get()
            for try await _ in response.body { break }
            response.body.cancel()
            let unread = try await left.get()
            unread.body.cancel()

            await expectEqual(store.usage(), CacheUsage(entries: 0, bytes: 0))
            expectEqual(left.sends, 2)
        }
    }

    @Test("the trailers of a body that is being stored come after its end")
    func trailers() async throws {
        try await onEverySeed(0..<2) { simulation in
            let store = MemoryCacheStore()
            let service = try streaming(simulation, store) { .oneShot(OneChunk("content")) }

            let response = try await service.get()
            let before = response.trailers
            _ = try await response.text()

            expectEqual(before, nil)
            expectEqual(response.trailers, ["X-Sum": "1"])
            await expectEqual(store.usage().entries, 1)
        }
    }

    @Test("a body that exceeds the store's limit is passed on whole")
    func large() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = MemoryCacheStore(maxEntryBytes: 2048)
            let service = try streaming(simulation, store) { .oneShot(CountingStream(chunks: 9)) }

            try await expectEqual(service.get().body.collect().count, 9 * 1024)
            await expectEqual(store.usage().entries, 0)
        }
    }

    @Test("a response that a request invalidates while it arrives isn't stored")
    func outdated() async throws {
        try await onEverySeed(0..<20) { simulation in
            let gate = Gate()
            let service = try CachedService(simulation) { request, call in
                if request.method == .post { return HTTP.Response(204) }
                return HTTP.Response(
                    200,
                    headers: ["Cache-Control": "max-age=60"],
                    body: .oneShot(GatedChunk(gate))
                )
            }

            let old = try await service.get()
            async let reading = old.text()
            _ = try await service.client.send(.post(orders))
            gate.open()
            _ = try await reading

            try await expectEqual(service.get().cacheStatus, .miss)
        }
    }

    private func streaming(
        _ simulation: Simulation,
        _ store: MemoryCacheStore,
        _ more: HTTP.Headers = [:],
        _ body: @escaping @Sendable () -> HTTP.Body
    ) throws -> CachedService {
        let fields = HTTP.Headers(
            [("Cache-Control", "max-age=60")] + more.map { ($0.name, $0.value) }
        )
        return try CachedService(simulation, store: store) { _, _ in
            HTTP.Response(200, headers: fields, body: body())
        }
    }
}

private final class GatedChunk: HTTP.BodyStream {
    private let gate: Gate
    private let rest = Lock<Data?>(Data("old".utf8))

    init(_ gate: Gate) { self.gate = gate }

    func next() async throws -> Data? {
        try await gate.pass()
        return rest.withLock { $0.take() }
    }

    func cancel() {}
}
