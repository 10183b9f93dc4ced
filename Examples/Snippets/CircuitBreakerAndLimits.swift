// What the guide CircuitBreakerAndLimits shows.
import InterceptorKit
import InterceptorKitTransport

func guarded() throws -> HTTP.Client {
    // snippet.chain
    let breaker = CircuitBreaker()
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        ConcurrencyLimitInterceptor()
        RetryInterceptor(policy: .standard)
        CircuitBreakerInterceptor(breaker)
        RateLimitInterceptor(policy: RateLimitPolicy(calls: 10))
        TimeoutInterceptor<HTTP.Request>(attempt: .seconds(10))
    }
    // snippet.end
    try watch(breaker)
    return api
}

func watch(_ breaker: CircuitBreaker) throws {
    // snippet.handle
    try breaker.isolate("https://api.example.com")  // nothing is sent there…
    try breaker.reset("https://api.example.com")  // …until now
    try breaker.isolate("https://api.example.com", for: .seconds(600))  // maintenance, then probes
    breaker.mode = .isolated  // nothing is sent anywhere
    breaker.mode = .metricsOnly  // counts, and lets everything through
    breaker.mode = .automatic  // opens and closes by itself again

    let status = breaker.status(of: "https://api.example.com")
    print(status.state, status.failures, status.calls)
    // snippet.end
}

func patient(_ policy: CircuitBreakerPolicy) -> CircuitBreaker {
    // snippet.function
    let patient = CircuitBreaker(policy: policy) { status, number in
        status.failures > 100 ? .seconds(30) : .seconds(5 * number)
    }
    // snippet.end
    return patient
}

func envelope(_ breaker: CircuitBreaker) -> CircuitBreakerInterceptor<HTTP.Request> {
    // snippet.envelope
    let envelope = HTTP.ResponseEnvelope(success: ["0"], transient: ["5001"])
    let health = OutcomeClassifier<HTTP.Request>.health.reading(envelope)
    let interceptor = CircuitBreakerInterceptor(breaker, classifier: health)
    // snippet.end
    return interceptor
}

func limits() -> [any Interceptor<HTTP.Request>] {
    // snippet.limits
    let limit = ConcurrencyLimitInterceptor<HTTP.Request>(policy: .perAuthority)
    let polite = RateLimitInterceptor<HTTP.Request>()  // as servers say, no more
    let rate = RateLimitPolicy(calls: 2, per: .seconds(1), burst: 5)
    let paced = RateLimitInterceptor<HTTP.Request>(policy: rate)
    let adaptive = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
    // snippet.end
    return [limit, polite, paced, adaptive]
}

func leastImportant(_ api: HTTP.Client) async throws {
    // snippet.criticality
    _ = try await api.send(.get("/suggestions")) { $0.criticality = .sheddable }
    // snippet.end
}

func heavy(_ api: HTTP.Client) async throws {
    // snippet.permits
    let report = try await api.send(.get("/report")) { $0.permits = 10 }
    // snippet.end
    await report.discard()
}

func handle(_ api: HTTP.Client) async throws {
    // snippet.errors
    do {
        _ = try await api.send(.get("https://api.example.com/orders"))
    } catch let error as CircuitBreakerError {
        print(error.message)  // The circuit breaker for https://api.example.com is open: …
    } catch let error as LimitError {
        print(error.message)  // This client's own rate limit is used up: …
    }
    // snippet.end
}
