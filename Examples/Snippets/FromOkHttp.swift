// What the guide FromOkHttp shows.
import InterceptorKit
import InterceptorKitCurl

struct Order: Codable, Sendable {
    var id: Int
}

// snippet.interceptor
struct TenantInterceptor: Interceptor {
    let tenant: String

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let response = try await chain.proceed { $0.headers["X-Tenant"] = tenant }
        if response.status == 410 { chain.call.emit("tenant.gone") }
        return response
    }
}
// snippet.end

func client(_ tokens: some CredentialSource) throws -> HTTP.Client {
    // snippet.client
    let api = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(30)) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        ConcurrencyLimitInterceptor(policy: .perAuthority)
        RedirectInterceptor()
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        CookieInterceptor()
        TenantInterceptor(tenant: "acme")
    }
    // snippet.end
    return api
}

// snippet.service
extension HTTP.Endpoint {
    static func order(_ id: Int) -> Self where Output == Order {
        Self(.get, "/orders/\(id)", decoder: .json)
    }
    static func orders(since: String) -> Self where Output == [Order] {
        Self(.get, "/orders", query: ["since": since], decoder: .json)
    }
    static func place(_ order: Order) -> Self where Output == Order {
        Self(.post, "/orders", sending: order, by: .json, decoder: .json)
    }
}
// snippet.end

func call(_ api: HTTP.Client) async throws -> Order {
    // snippet.call
    let order = try await api.call(.order(7))
    // snippet.end
    return order
}

func listened(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    // snippet.listener
    let api = try HTTP.Client(
        transport: transport,
        events: EventObserver { event in
            if event.name == .sendTimed { print(event.call, event.attributes) }
        }
    ) {
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}
