import InterceptorKit

/// A chain to put through the brown-out.
struct Strategy: Sendable {
    /// What a run is made of, new for each, because breakers and budgets remember.
    struct Parts {
        var interceptors: [any Interceptor<HTTP.Request>]
        var budget: RetryBudget?
    }

    let id: String
    let name: String
    let summary: String
    let hasBreaker: Bool
    let make: @Sendable () throws -> Parts

    init(
        _ id: String,
        _ name: String,
        _ summary: String,
        hasBreaker: Bool = false,
        make: @escaping @Sendable () throws -> Parts
    ) {
        self.id = id
        self.name = name
        self.summary = summary
        self.hasBreaker = hasBreaker
        self.make = make
    }
}

extension Strategy {
    /// From nothing to everything.
    static let all = [bare, retry, budget, breaker, hedge, standard]

    /// How long an attempt may take, in every chain.
    static let patience: Duration = .milliseconds(500)

    private static var attemptTimeout: TimeoutInterceptor<HTTP.Request> {
        TimeoutInterceptor(attempt: patience)
    }

    static let bare = Strategy(
        "bare",
        "Bare",
        "One send for each call. It fails with the backend, and is well again once the queue is worked off."
    ) {
        Parts(interceptors: [attemptTimeout])
    }

    static let retry = Strategy(
        "retry",
        "Retry alone",
        "Three sends for a failing call triple the load just when there is least room. The queue stays full "
            + "after its cause is gone."
    ) {
        Parts(interceptors: [RetryInterceptor(policy: unbounded), attemptTimeout])
    }

    static let budget = Strategy(
        "budget",
        "Retry with a budget",
        "Each retry is paid by a success. A single failure is mended, an outage is not made worse."
    ) {
        let budget = RetryBudget()
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.budget = budget
        return Parts(
            interceptors: [RetryInterceptor(policy: policy), attemptTimeout],
            budget: budget
        )
    }

    static let breaker = Strategy(
        "breaker",
        "Circuit breaker and retry",
        "Once half of the attempts fail, nothing is sent for about five seconds, then a probe. The queue "
            + "empties meanwhile, and calls fail at once.",
        hasBreaker: true
    ) {
        Parts(interceptors: [
            TimeoutInterceptor(total: .seconds(3)), RetryInterceptor(policy: unbounded),
            CircuitBreakerInterceptor(), attemptTimeout,
        ])
    }

    static let hedge = Strategy(
        "hedge",
        "Hedge",
        "A second attempt beside the slowest few. It shortens the long answers of good days and, bounded by "
            + "its budget, does no harm on a bad one."
    ) {
        // More than the default of 5 %, because those that fail have a hedge sent too.
        let budget = RetryBudget(tokensPerSuccess: 0.2)
        var policy = HedgePolicy<HTTP.Request>.standard
        policy.budget = budget
        return Parts(
            interceptors: [HedgeInterceptor(policy: policy), attemptTimeout],
            budget: budget
        )
    }

    static let standard = Strategy(
        "standard",
        "The standard pipeline",
        "Time limits, a retry with a budget, and a limit that finds out how much the backend takes. It keeps "
            + "the backend busy and its queue short."
    ) {
        let budget = RetryBudget()
        var settings = StandardSettings<HTTP.Request>()
        settings.totalTimeout = .seconds(3)
        settings.attemptTimeout = patience
        settings.retry?.budget = budget
        let pipeline = try Pipeline.standard(settings, transport: Backend())
        return Parts(interceptors: pipeline.interceptors, budget: budget)
    }

    private static var unbounded: RetryPolicy<HTTP.Request> {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.budget = nil
        return policy
    }
}
