// What the guide FromAlamofire shows.
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTransfers
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct OrderIsGone: Error {}

struct Order: Decodable {
    var id: Int
}

// snippet.adapter
struct TenantInterceptor: Interceptor {
    let tenant: String

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        try await chain.proceed { $0.headers["X-Tenant"] = tenant }
    }
}
// snippet.end

func retrier() -> RetryPolicy<HTTP.Request> {
    // snippet.retrier
    var policy = RetryPolicy<HTTP.Request>.standard
    policy.maxAttempts = 4
    policy.hook = { outcome, classification, answer in
        guard case .success(let response) = outcome.result else { return answer }
        switch response.status {
        case 409: return .retryAfter(.seconds(1))
        case 410: return .doNotRetryWithError(OrderIsGone())
        default: return answer
        }
    }
    // snippet.end
    return policy
}

// snippet.authenticator
struct SessionTokens: CredentialSource {
    struct Answer: Decodable, Sendable {
        var token: String
        var refreshToken: String
        var expiresAt: Date
    }

    let login: HTTP.Client

    func load() async throws -> Credential? { nil }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let refreshToken = rejected?.refreshToken else { return nil }
        let request = try HTTP.Request.post("/token").json(["refresh_token": refreshToken])
        let answer = try await login.send(request).decode(Answer.self)
        return .bearer(
            answer.token,
            expiresAt: answer.expiresAt,
            refreshToken: answer.refreshToken
        )
    }
}
// snippet.end

func session(
    _ tokens: SessionTokens,
    _ policy: RetryPolicy<HTTP.Request>,
    _ journal: Timeline
) async throws -> Order {
    // snippet.session
    let api = try HTTP.Client(transport: URLSessionTransport(), events: journal) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        RetryInterceptor(policy: policy)
        TenantInterceptor(tenant: "acme")
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    let order = try await api.send(.get("/orders/7")).decode(Order.self)
    // snippet.end

    // snippet.request
    let report = try await api.send(
        .get("/report"),
        configure: { $0.retryLimit = 1 },
        adding: { DefaultHeadersInterceptor(["X-Priority": "low"]) }
    )
    // snippet.end
    await report.discard()
    return order
}

func transfer(_ api: HTTP.Client) async throws {
    // snippet.download
    let download = api.startDownload(.get("/releases/7.img"), to: "7.img")
    for await progress in download.progress { print(progress) }
    let file = try await download.value
    // snippet.end
    print(file.path)
}
