// The code in the documentation comments of InterceptorKitLoadBalancing.
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitLoadBalancing
import InterceptorKitTesting

struct First: LoadBalancingPolicy {
    func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int { 0 }
}

func docEndpoints() -> LoadBalancer {
    // snippet.endpoints
    let replicas: [ServiceEndpoint] = ["https://a.example.com/v1", "https://b.example.com/v1"]
    // snippet.balancer
    let balancer = LoadBalancer(["https://a.example.com", "https://b.example.com"])
    // snippet.end
    return replicas.isEmpty ? LoadBalancer(replicas) : balancer
}

func docClient() async throws {
    // snippet.client
    let api = try HTTP.Client.standard(
        endpoints: ["https://a.example.com/v1", "https://b.example.com/v1"],
        transport: CurlTransport()
    )
    let order = try await api.send(.get("/orders/7"))
    // snippet.end
    print(order.status)
}

func docRendezvous() -> RendezvousPolicy {
    // snippet.rendezvous
    RendezvousPolicy { request, _ in request.url.path }
    // snippet.end
}

func docInterceptor(_ tokens: some CredentialSource) async throws {
    // snippet.interceptor
    let api = try HTTP.Client(transport: CurlTransport()) {
        RetryInterceptor(policy: .standard)
        LoadBalancingInterceptor(["https://a.example.com/v1", "https://b.example.com/v1"])
        TokenInterceptor(
            source: tokens,
            origins: ["https://a.example.com", "https://b.example.com"]
        )
    }
    let order = try await api.send(.get("/orders/7"))
    // snippet.end
    print(order.status)
}

func docServers(_ endpoints: [ServiceEndpoint], _ runtime: Runtime) throws -> HTTP.Client {
    // snippet.servers
    let servers = SimulatedServers(["https://a.example", "https://b.example", "https://c.example"])
        .changing("https://b.example", to: .refuses, at: .seconds(3))
    let client = try HTTP.Client.standard(
        endpoints: endpoints,
        transport: servers,
        runtime: runtime
    )
    // snippet.end
    return client
}
