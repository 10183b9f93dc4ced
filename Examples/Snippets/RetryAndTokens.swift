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

func orderOnce(_ api: HTTP.Client, key: String) async throws -> HTTP.Response {
    // snippet.key
    let response = try await api.send(.post("/orders", headers: ["Idempotency-Key": key]))
    // snippet.end
    return response
}
