// What the guide RetryAndTokens shows.
import InterceptorKit
import InterceptorKitTransport

func patientPolicy() -> RetryPolicy<HTTP.Request> {
    // snippet.policy
    var policy = RetryPolicy<HTTP.Request>.standard
    policy.maxAttempts = 5
    policy.backoff = Backoff(base: .milliseconds(200), cap: .seconds(5))
    policy.maxRetryAfter = .seconds(120)
    // snippet.end
    return policy
}

func sendOnce(_ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.once
    let response = try await api.send(.get("/orders/7")) { $0.retryLimit = 1 }
    // snippet.end
    return response
}

func orderOnce(_ api: HTTP.Client, key: String) async throws -> HTTP.Response {
    // snippet.key
    let response = try await api.send(.post("/orders", headers: ["Idempotency-Key": key]))
    // snippet.end
    return response
}

// snippet.source
struct SessionTokens: CredentialSource {
    struct Answer: Decodable, Sendable {
        var accessToken: String
        var refreshToken: String
    }

    let pipeline: Pipeline<HTTP.Request>

    func load() async throws -> Credential? { nil }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let refreshToken = rejected?.refreshToken else { return nil }
        let request = try HTTP.Request.post("https://login.example.com/token")
            .json(["refresh_token": refreshToken])
        let answer = try await pipeline.run(request).decode(Answer.self)
        return .bearer(answer.accessToken, refreshToken: answer.refreshToken)
    }
}
// snippet.end

func session(_ tokens: SessionTokens) async throws -> HTTP.Client {
    // snippet.session
    let session = TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        RetryInterceptor(policy: .standard)
        session
    }
    try await session.signIn(with: .bearer("access", refreshToken: "refresh"))
    try await session.signOut()
    // snippet.end
    return api
}

func publicPage(_ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.public
    let page = try await api.send(.get("/public")) { $0.credentialUse = .none }
    // snippet.end
    return page
}
