// What the guide FromRequests shows.
import Foundation
import InterceptorKit
import InterceptorKitCurl

struct Order: Decodable, Sendable {
    var id: Int
}

func session(_ policy: RetryPolicy<HTTP.Request>, _ password: String) async throws {
    // snippet.session
    let api = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(30)) {
        BaseURLInterceptor("https://api.example.com/v1")
        DefaultHeadersInterceptor(["Accept": "application/json"])
        ErrorFilterInterceptor()
        RedirectInterceptor()
        RetryInterceptor(policy: policy)
        TokenInterceptor(
            source: FixedCredentialSource(.basic(user: "shop", password: password)),
            origins: ["https://api.example.com"]
        )
        CookieInterceptor()
    }
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    let found = try await api.send(.get("/orders", query: ["page": "2"])).decode([Order].self)
    let login = try await api.send(.post("/login").form(["user": "shop"]))
    // snippet.end
    print(order, found, login)
}

func retries() -> RetryPolicy<HTTP.Request> {
    // snippet.retries
    var policy = RetryPolicy<HTTP.Request>.standard
    policy.maxAttempts = 5
    policy.maxRetries = RetryCounts(connect: 4, read: 1, status: 2)
    policy.backoff = Backoff(base: .milliseconds(200), cap: .seconds(5), jitter: .none)
    policy.overloadBackoff = policy.backoff
    // snippet.end
    return policy
}

func hooked() -> HookInterceptor<HTTP.Request> {
    // snippet.hooks
    let hooks = HookInterceptor<HTTP.Request>(
        willSend: { request, _ in print("sends", request) },
        didReceive: { result, _, _ in print("received", result) }
    )
    // snippet.end
    return hooks
}

func export(_ api: HTTP.Client, to file: FileHandle) async throws {
    // snippet.body
    let response = try await api.send(.get("/export"))
    for try await chunk in response.body { try file.write(contentsOf: chunk) }
    // snippet.end
}
