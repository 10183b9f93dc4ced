import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheInterceptor")
struct CacheInterceptorTests {
    @Test("a fresh response is served from the cache, with its Age")
    func fresh() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            try await service.pass(59)
            let response = try await service.get()

            expectEqual(response.cacheStatus, .hit)
            expectEqual(response.headers["Age"], "59")
            try await expectEqual(response.text(), "1")
            expectEqual(response.request?.url, orders)
            expectEqual(service.sends, 1)
        }
    }

    @Test("a response that is no longer fresh is requested again")
    func stale() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            try await service.pass(60)
            let response = try await service.get()

            expectEqual(response.cacheStatus, .miss)
            try await expectEqual(response.text(), "2")
            expectEqual(
                service.reasons(.cacheMiss),
                ["nothing is stored", "it is no longer fresh"]
            )
        }
    }

    @Test("a call can bypass the cache")
    func leftOut() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            let response = try await service.client.send(
                .get(orders),
                configure: { $0.usesCache = false }
            )

            expectEqual(response.cacheStatus, nil)
            expectEqual(service.sends, 2)
        }
    }

    @Test("statistics count the outcomes of calls")
    func statistics() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            for _ in 0..<4 { _ = try await service.text() }
            try await service.pass(100)
            _ = try await service.text(["Cache-Control": "max-stale=100"])

            let statistics = service.cache.statistics
            expectEqual(statistics.hits, 3)
            expectEqual(statistics.misses, 1)
            expectEqual(statistics.stored, 1)
            expectEqual(statistics.staleHits, 1)
            expectEqual(statistics.hitRate, 0.8)
            expectEqual(CacheStatistics().hitRate, 0)
        }
    }
}
