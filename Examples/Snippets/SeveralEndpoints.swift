// Several endpoints for one service.
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitEtcd
import InterceptorKitLoadBalancing
import InterceptorKitTesting

private struct Order: Decodable, Sendable {}

func standardClient() async throws {
    // snippet.standard
    let api = try HTTP.Client.standard(
        endpoints: ["https://a.example.com/v1", "https://b.example.com/v1"],
        transport: CurlTransport()
    )
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    // snippet.end
    print(order)
}

func ownChain(
    _ transport: some Transport<HTTP.Request>,
    _ tokens: some CredentialSource
) throws -> HTTP.Client {
    // snippet.chain
    let balancer = LoadBalancer(["https://a.example.com", "https://b.example.com"])
    let api = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        LoadBalancingInterceptor(balancer)
        TokenInterceptor(
            source: tokens,
            origins: ["https://a.example.com", "https://b.example.com"]
        )
    }
    // snippet.end
    return api
}

func settings(_ endpoints: [ServiceEndpoint]) -> LoadBalancer {
    // snippet.settings
    var settings = LoadBalancingSettings()
    settings.outlierDetection?.consecutiveFailures = 3
    settings.panicThreshold = 0.3
    let balancer = LoadBalancer(endpoints, settings: settings)
    // snippet.end
    return balancer
}

func check(_ balancer: LoadBalancer, _ transport: some Transport<HTTP.Request>) async throws {
    // snippet.health
    try await balancer.checkHealth(by: HealthCheck("/health"), over: transport)
    // snippet.end
}

func zones() -> [ServiceEndpoint] {
    // snippet.zones
    let endpoints = [
        ServiceEndpoint("https://a.here.example.com"),
        ServiceEndpoint("https://b.here.example.com"),
        ServiceEndpoint("https://a.there.example.com", priority: 1),
    ]
    // snippet.end
    return endpoints
}

private func serve(with balancer: LoadBalancer) async throws {}

func follow(_ sets: AsyncStream<[ServiceEndpoint]>) async throws {
    // snippet.follow
    let balancer = LoadBalancer([], origins: ["https://a.example.com", "https://b.example.com"])
    try await withThrowingTaskGroup { group in
        group.addTask { try await balancer.follow(sets) }
        group.addTask { try await serve(with: balancer) }
        try await group.next()
        group.cancelAll()
    }
    // snippet.end
}

func fromDNS() async throws {
    // snippet.dns
    let balancer = LoadBalancer([], origins: ["https://api.example.com"])
    try await balancer.follow(DNSEndpoints("https://api.example.com/v1"))
    // snippet.end
}

func fromEtcd(_ transport: some Transport<HTTP.Request>) async throws {
    // snippet.etcd
    let orders = try EtcdEndpoints(
        "services/orders/",
        of: ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
        pipeline: try Pipeline(transport: transport) {}
    )
    let balancer = LoadBalancer([], origins: ["https://a.example.com", "https://b.example.com"])
    try await balancer.follow(orders)
    // snippet.end
}

func simulated(_ endpoints: [ServiceEndpoint], _ runtime: Runtime) throws -> HTTP.Client {
    // snippet.simulated
    let servers = SimulatedServers(["https://a.example", "https://b.example", "https://c.example"])
        .changing("https://b.example", to: .refuses, at: .seconds(3))
    let api = try HTTP.Client.standard(endpoints: endpoints, transport: servers, runtime: runtime)
    // snippet.end
    return api
}
