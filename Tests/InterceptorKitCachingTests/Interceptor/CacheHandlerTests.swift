import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheHandler")
struct CacheHandlerTests {
    @Test("only-if-cached gets the stored response, or 504")
    func onlyIfCached() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)
            let only: HTTP.Headers = ["Cache-Control": "only-if-cached"]
            let lenient: HTTP.Headers = ["Cache-Control": "only-if-cached, max-stale=30"]

            let before = try await service.get(only)
            _ = try await service.text()
            let fresh = try await service.get(only)
            try await service.pass(80)
            let stale = try await service.get(only)
            let accepted = try await service.get(lenient)

            expectEqual([before, fresh, stale, accepted].map(\.status), [504, 200, 504, 200])
            expectEqual(accepted.headers["Age"], "80")
            expectEqual(service.sends, 1)
        }
    }

    @Test("only-if-cached gets 504 if the response is evicted meanwhile")
    func forgotten() async throws {
        try await onEverySeed(0..<5) { simulation in
            let store = ForgetfulStore()
            let service = try CachedService(simulation, store: store)

            _ = try await service.text()
            let response = try await service.get(["Cache-Control": "only-if-cached"])

            expectEqual(response.status, 504)
            expectEqual(service.sends, 1)
        }
    }
}

/// Finds responses, but never has their bodies any more.
private struct ForgetfulStore: CacheStore {
    private let base = MemoryCacheStore()

    func responses(for key: CacheKey) async throws -> [StoredResponse] {
        await base.responses(for: key)
    }
    func body(of response: StoredResponse) async throws -> HTTP.Body? { nil }
    func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)? {
        await base.writer(for: response, length: length)
    }
    func update(_ response: StoredResponse) async throws { await base.update(response) }
    func remove(_ response: StoredResponse) async throws { await base.remove(response) }
    func removeAll(for url: String) async throws { await base.removeAll(for: url) }
    func removeAll() async throws { await base.removeAll() }
    func contents() async throws -> [StoredResponse] { await base.contents() }
    func usage() async throws -> CacheUsage { await base.usage() }
}
