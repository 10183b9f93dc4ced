import InterceptorKit

/// The documented defaults of others, as chains.
extension LeagueStrategy {
    static let peers = [
        microsoft, resilience4j, awsStandard, awsAdaptive, grpc, finagle, envoy, netflix, okHttp,
        alamofire,
    ]

    static let microsoft = LeagueStrategy(
        "Microsoft",
        .peer,
        source: "Microsoft.Extensions.Http.Resilience 9.0, AddStandardResilienceHandler"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .microsoft)
        policy.maxAttempts = 4
        // Polly's exponential backoff with jitter around a median of 2 s.
        policy.backoff = Backoff(base: .seconds(2), cap: .seconds(60), jitter: .within(0...2))
        policy.overloadBackoff = policy.backoff
        policy.budget = nil
        var breaker = CircuitBreakerPolicy()
        breaker.failureRatio = 0.1
        breaker.minimumCalls = 100
        breaker.window = .seconds(30)
        breaker.breakDuration = .seconds(5)
        breaker.maxBreakDuration = .seconds(5)
        breaker.jitter = 0
        breaker.successesToClose = 1
        return [
            ConcurrencyLimitInterceptor(policy: .safetyNet), RetryInterceptor(policy: policy),
            CircuitBreakerInterceptor(CircuitBreaker(policy: breaker), classifier: .microsoft),
        ]
    }

    static let resilience4j = LeagueStrategy(
        "resilience4j",
        .peer,
        source: "resilience4j 2.2: RetryConfig, CircuitBreakerConfig and BulkheadConfig"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .inherited)
        policy.maxAttempts = 3
        policy.backoff = Backoff(base: .milliseconds(500), growth: 1, jitter: .none)
        policy.overloadBackoff = policy.backoff
        policy.respectsRetryAfter = false
        policy.budget = nil
        // Its window is of 100 calls, however long they take.
        var breaker = CircuitBreakerPolicy()
        breaker.failureRatio = 0.5
        breaker.minimumCalls = 100
        breaker.window = .seconds(30)
        breaker.breakDuration = .seconds(60)
        breaker.jitter = 0
        breaker.successesToClose = 10
        return [
            RetryInterceptor(policy: policy),
            CircuitBreakerInterceptor(CircuitBreaker(policy: breaker)),
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 25))
                .unordered(because: "a bulkhead stands innermost in resilience4j"),
        ]
    }

    static let awsStandard = LeagueStrategy(
        "AWS standard",
        .peer,
        source: "AWS SDKs and Tools Reference Guide, retry behaviour 2.1: standard"
    ) { _ in [RetryInterceptor(policy: .aws)] }

    static let awsAdaptive = LeagueStrategy(
        "AWS adaptive",
        .peer,
        source: "AWS SDKs and Tools Reference Guide, retry behaviour 2.1: adaptive"
    ) { _ in
        [RetryInterceptor(policy: .aws), AdaptiveRateInterceptor(classifier: .inherited)]
    }

    static let grpc = LeagueStrategy(
        "gRPC",
        .peer,
        source: "gRFC A6: the examples of retryPolicy and retryThrottling"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .inherited)
        policy.maxAttempts = 4
        policy.backoff = Backoff(base: .milliseconds(100), cap: .seconds(1), jitter: .full)
        policy.overloadBackoff = policy.backoff
        policy.budget = RetryThrottle()
        return [RetryInterceptor(policy: policy)]
    }

    static let finagle = LeagueStrategy(
        "Finagle",
        .peer,
        source: "Finagle 22.12: RetryBudget, and RetryFilter without backoff"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .inherited)
        policy.maxAttempts = 5
        policy.backoff = Backoff(base: .zero)
        policy.overloadBackoff = policy.backoff
        policy.respectsRetryAfter = false
        policy.budget = FinagleRetryBudget()
        return [RetryInterceptor(policy: policy)]
    }

    static let envoy = LeagueStrategy(
        "Envoy",
        .peer,
        source: "Envoy 1.31: retry_on 5xx with its defaults, circuit breakers' 1,024 requests"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .envoy)
        policy.maxAttempts = 2
        policy.backoff = Backoff(base: .milliseconds(25), cap: .milliseconds(250))
        policy.overloadBackoff = policy.backoff
        policy.respectsRetryAfter = false
        policy.budget = nil
        return [
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 1024)),
            RetryInterceptor(policy: policy),
        ]
    }

    static let netflix = LeagueStrategy(
        "Netflix",
        .peer,
        source: "concurrency-limits 0.4: Gradient2Limit"
    ) { _ in [GradientLimitInterceptor()] }

    static let okHttp = LeagueStrategy(
        "OkHttp",
        .peer,
        source: "OkHttp 4.12: retryOnConnectionFailure, RetryAndFollowUpInterceptor"
    ) { _ in
        // One address leaves no other route after a refused connection, and a 503 is sent again only for
        // Retry-After: 0. A timeout is handed to the caller.
        []
    }

    static let alamofire = LeagueStrategy(
        "Alamofire",
        .peer,
        source: "Alamofire 5.9: RetryPolicy"
    ) { _ in
        var policy = RetryPolicy<HTTP.Request>(classifier: .alamofire)
        policy.maxAttempts = 3
        policy.backoff = Backoff(base: .milliseconds(500), cap: .seconds(60), jitter: .none)
        policy.overloadBackoff = policy.backoff
        policy.respectsRetryAfter = false
        policy.budget = nil
        return [RetryInterceptor(policy: policy)]
    }
}

extension RetryPolicy<HTTP.Request> {
    fileprivate static var aws: RetryPolicy {
        var policy = RetryPolicy(classifier: .inherited)
        policy.maxAttempts = 3
        policy.backoff = Backoff(base: .milliseconds(50), cap: .seconds(20))
        policy.overloadBackoff = Backoff(base: .seconds(1), cap: .seconds(20))
        policy.budget = RetryQuota()
        policy.hook = { _, classification, result in
            // Timeouts are transient to the SDKs and back off like those.
            guard classification.isTimeout, case .retryAfter(let wait) = result else {
                return result
            }
            return .retryAfter(wait / 20)
        }
        return policy
    }
}

extension OutcomeClassifier<HTTP.Request> {
    /// 5xx, 408, 429, timeouts and connection failures.
    fileprivate static var microsoft: OutcomeClassifier {
        retrying { $0 >= 500 || $0 == 408 || $0 == 429 }
    }

    /// 5xx and failures of the connection.
    fileprivate static var envoy: OutcomeClassifier { retrying { $0 >= 500 } }

    /// `RetryPolicy.defaultRetryableHTTPStatusCodes` and URL errors.
    fileprivate static var alamofire: OutcomeClassifier {
        retrying { [408, 500, 502, 503, 504].contains($0) }
    }

    private static func retrying(_ isRetried: @escaping @Sendable (Int) -> Bool)
        -> OutcomeClassifier
    {
        OutcomeClassifier<HTTP.Request>.standard.preceded { outcome in
            guard case .success(let response) = outcome.result else { return nil }
            let code = response.status.code
            guard code >= 400 else { return .success }
            let reason = response.status.description
            return isRetried(code) ? .transient(reason) : .permanent(reason)
        }
    }
}
