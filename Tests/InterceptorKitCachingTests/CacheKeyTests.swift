import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheKey")
struct CacheKeyTests {
    /// How often the server is asked when each of some requests is sent once.
    private static func sends(
        _ requests: [HTTP.Request],
        _ scope: CachePolicy.Scope = .private
    ) async throws -> Int {
        try await onEverySeed(0..<3) { simulation in
            let service = try CachedService(simulation, policy: CachePolicy(scope: scope))
            for request in requests { _ = try await service.client.send(request).text() }
            return service.sends
        }
    }

    @Test("equivalent spellings of a URL have one key")
    func spellings() async throws {
        let urls: [HTTP.URL] = [
            orders, "HTTPS://API.example.COM/orders", "https://api.example.com:443/orders",
            "https://api.example.com/orders#part",
        ]

        try await expectEqual(Self.sends(urls.map { .get($0) }), 1)
    }

    @Test("URLs that may differ in meaning have different keys")
    func others() async throws {
        let urls: [HTTP.URL] = [
            orders, "http://api.example.com/orders", "https://api.example.com:8443/orders",
            "https://api.example.com/Orders", "https://api.example.com/orders/",
            "https://api.example.com/orders?", "https://api.example.com/orders?a=1&b=2",
            "https://api.example.com/orders?b=2&a=1", "https://www.example.com/orders",
        ]

        try await expectEqual(Self.sends(urls.map { .get($0) }), urls.count)
    }

    @Test(
        "a request's own Host field keeps its responses apart",
        arguments: [CachePolicy.Scope.private, .shared]
    )
    func hosts(scope: CachePolicy.Scope) async throws {
        let hosts = ["a.example.com", "b.example.com", "A.EXAMPLE.COM", "api.example.com"]
        let named = hosts.map { HTTP.Request.get(orders, headers: ["Host": $0]) }

        // The third is the first, and the last the URL's own.
        try await expectEqual(Self.sends([.get(orders)] + named, scope), 3)
    }
}
