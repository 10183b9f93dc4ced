// The code of the guide "Cache responses".

import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTransport

func cachingClient(_ tokens: some CredentialSource) async throws {
    // snippet.client
    let cache = CacheInterceptor(partition: .oneIdentity)
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        cache
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    let order = try await api.send(.get("https://api.example.com/orders/7"))
    print(order.cacheStatus ?? .miss)  // miss, then hit, then validated
    // snippet.end

    // snippet.leaveOut
    let now = try await api.send(
        .get("https://api.example.com/orders/7"),
        configure: { $0.usesCache = false }
    )
    // snippet.end
    print(now)
}

func standardChain() throws -> HTTP.Client {
    // snippet.standard
    let api = try HTTP.Client.standard(transport: URLSessionTransport()) {
        CacheInterceptor(partition: .oneIdentity)
    }
    // snippet.end
    return api
}

func tenants() -> CacheInterceptor {
    // snippet.tenants
    let cache = CacheInterceptor(partition: .by { request, _ in request.headers["X-Tenant"] })
    // snippet.end
    return cache
}

func onDisk() async throws {
    // snippet.disk
    let store = DiskCacheStore("/var/cache/orders")
    let cache = CacheInterceptor(store: store, partition: .oneIdentity)
    // snippet.end

    // snippet.contents
    for response in try await store.contents() { print(response) }
    try await store.removeAll(for: "https://api.example.com/orders/7")
    try await store.removeAll()
    print(cache.statistics.hitRate)
    // snippet.end
}

func policies() -> CacheInterceptor {
    // snippet.policy
    let policy = CachePolicy { request, response in
        if request.url.path.hasPrefix("/catalogue/"), response.status == 200 {
            return .fresh(for: .seconds(600))
        }
        return request.url.path.hasPrefix("/me/") ? .never : .asStated
    }
    let cache = CacheInterceptor(policy: policy, partition: .oneIdentity)
    // snippet.end
    return cache
}

func cached() throws -> HTTP.Client {
    // snippet.cached
    let cache = CacheInterceptor(partition: .oneIdentity)
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        cache
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}
