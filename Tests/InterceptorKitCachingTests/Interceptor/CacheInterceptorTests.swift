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

            #expect(response.cacheStatus == .hit)
            #expect(response.headers["Age"] == "59")
            #expect(try await response.text() == "1")
            #expect(response.request?.url == orders)
            #expect(service.sends == 1)
        }
    }

    @Test("a response that is no longer fresh is requested again")
    func stale() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            try await service.pass(60)
            let response = try await service.get()

            #expect(response.cacheStatus == .miss)
            #expect(try await response.text() == "2")
            #expect(service.reasons(.cacheMiss) == ["nothing is stored", "it is no longer fresh"])
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

            #expect(response.cacheStatus == nil)
            #expect(service.sends == 2)
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
            #expect(statistics.hits == 3)
            #expect(statistics.misses == 1)
            #expect(statistics.stored == 1)
            #expect(statistics.staleHits == 1)
            #expect(statistics.hitRate == 0.8)
            #expect(CacheStatistics().hitRate == 0)
        }
    }
}
