// What the guide FromMoya shows.
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport

struct Order: Codable, Sendable {
    var id: Int
}

struct NewOrder: Codable, Sendable {
    var item: String
}

// snippet.targets
extension HTTP.Endpoint {
    static func order(_ id: Int) -> Self where Output == Order {
        Self(.get, "/orders/\(id)", decoder: .json)
    }
    static func place(_ order: NewOrder) -> Self where Output == Order {
        Self(.post, "/orders", sending: order, by: .json, decoder: .json)
    }
}
// snippet.end

// snippet.plugin
struct AuditPlugin {
    var hooks: HookInterceptor<HTTP.Request> {
        HookInterceptor(
            before: { request, _ in request.headers["X-Client"] = "shop" },
            willSend: { request, _ in print("sends", request) },
            didReceive: { result, _, _ in print("received", result) },
            after: { response, _, _ in response.headers["X-Audited"] = "1" }
        )
    }
}
// snippet.end

func provider(_ tokens: some CredentialSource) async throws {
    // snippet.provider
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        CoalescingInterceptor()
        RetryInterceptor(policy: .standard)
        AuditPlugin().hooks
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    let order = try await api.call(.order(7))
    // snippet.end
    print(order.id)
}

func sample() async throws -> Int {
    // snippet.sample
    let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"id": 7}"#)])
    let api = try HTTP.Client(transport: transport) {
        BaseURLInterceptor("https://api.example.com/v1")
    }
    let order = try await api.call(.order(7))
    // snippet.end
    return order.id
}
