import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheHandler, revalidating in the background")
struct CachePassageRevalidatingTests {
    @Test("stale-while-revalidate serves the stale one, then the new one")
    func whileRevalidating() async throws {
        try await onEverySeed(0..<50) { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=10, stale-while-revalidate=30"]
            let service = try CachedService(simulation, fields)

            _ = try await service.text()
            try await service.pass(40)
            let stale = try await service.get()
            try await service.pass(1)
            let next = try await service.get()
            try await service.pass(41)
            let late = try await service.get()

            expectEqual([stale, next, late].map(\.cacheStatus), [.stale, .hit, .miss])
            try await expectEqual(stale.text(), "1")
            try await expectEqual(next.text(), "2")
            try await expectEqual(late.text(), "3")
        }
    }

    @Test("a revalidation is a call of its own, with its own time limit")
    func background() async throws {
        try await onEverySeed(0..<50) { simulation in
            let service = try CachedService(
                simulation,
                policy: CachePolicy(revalidationLimit: .seconds(5))
            ) { _, call in
                try await call.runtime.sleep(for: .seconds(call.remaining == .seconds(5) ? 60 : 1))
                return HTTP.Response(
                    200,
                    headers: ["Cache-Control": "max-age=10, stale-while-revalidate=99"],
                    body: "1"
                )
            }

            _ = try await service.text()
            try await service.pass(20)
            let stale = try await service.get()
            let began = simulation.runtime.now
            try await service.pass(4)
            let early = service.sink.events.filter { $0.name == "call.ended" }.count
            try await service.pass(2)

            expectEqual(stale.cacheStatus, .stale)
            expectEqual(began.offset, .seconds(21))
            let calls = service.sink.events.filter { $0.name == "call.began" }
            expectEqual(calls.map(\.activity?.parent), [nil, nil, nil])
            expectEqual(Set(calls.map(\.call)).count, 3)
            expectEqual(early, 2)
            let ended = service.sink.events.filter { $0.name == "call.ended" }
            expectEqual(ended.last?.phase, .ended(.cancelled))
            expectEqual(ended.last?.instant.offset, .seconds(26))
        }
    }
}
