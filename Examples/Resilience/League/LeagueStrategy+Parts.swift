import InterceptorKit

/// Each strategy of the library alone.
extension LeagueStrategy {
    static let parts = [retry, retryWithoutBudget, breaker, hedge, fixedLimit, adaptiveLimit]

    static let retry = LeagueStrategy("retry", .part) { _ in [RetryInterceptor(policy: .standard)] }

    static let retryWithoutBudget = LeagueStrategy("retry without budget", .part) { _ in
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.budget = nil
        return [RetryInterceptor(policy: policy)]
    }

    static let breaker = LeagueStrategy("breaker", .part) { _ in [CircuitBreakerInterceptor()] }

    static let hedge = LeagueStrategy("hedge", .part) { _ in [HedgeInterceptor(policy: .standard)] }

    /// Right for this service by chance, as somebody may have measured it before.
    static let fixedLimit = LeagueStrategy("fixed limit", .part) { _ in
        let policy = ConcurrencyLimitPolicy(limit: 8, queueLimit: 64)
        return [ConcurrencyLimitInterceptor(policy: policy)]
    }

    static let adaptiveLimit = LeagueStrategy("adaptive limit", .part) { _ in
        [AdaptiveConcurrencyLimitInterceptor()]
    }

    static let all = [ideal, bare] + parts + [standard, limited] + peers
}
