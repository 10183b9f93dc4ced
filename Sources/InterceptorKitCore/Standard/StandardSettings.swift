/// Which strategies the standard chain has, and their numbers.
///
/// A value: start from the defaults and change what differs. `nil` leaves a strategy out.
///
/// ```swift
/// var settings = StandardSettings<HTTP.Request>()
/// settings.attemptTimeout = .seconds(2)
/// settings.rateLimit = RateLimitPolicy(calls: 100)
/// let api = try HTTP.Client.standard(transport: URLSessionTransport(), settings)
/// ```
///
/// The numbers were checked against each other: those that cannot work together are refused when a
/// pipeline is built, in a sentence that says why. Breaker and budgets are objects: chains made from copies
/// of one value share what they learn.
public struct StandardSettings<Input: Interceptable>: Sendable {
    /// Answers in place of what could not be had; see ``FallbackInterceptor``. Defaults to none.
    public var fallback: FallbackInterceptor<Input>.Answer?

    /// How long a whole call may take. Defaults to 30 s (Microsoft.Extensions.Http.Resilience).
    public var totalTimeout: Duration? = .seconds(30)

    /// How many calls may be under way. Defaults to 1,000, and none waits (the same source).
    public var concurrencyLimit: ConcurrencyLimitPolicy? = .safetyNet

    /// Has calls that ask the same share one send. Defaults to none.
    public var coalescing: CoalescingInterceptor<Input>?

    /// When and how often a failed attempt is repeated. Defaults to 3 sends in all, with a budget.
    public var retry: RetryPolicy<Input>?

    /// When a slow attempt gets another beside it; in a retry's place. Defaults to none.
    public var hedge: HedgePolicy<Input>?

    /// Turns attempts away while too many fail. Defaults to one of its own with the default numbers.
    public var breaker: CircuitBreaker? = CircuitBreaker()

    /// What an outcome says about the server's health, for the breaker.
    public var health: OutcomeClassifier<Input>

    /// How many attempts may begin in a time. Defaults to no limit.
    public var rateLimit: RateLimitPolicy?

    /// Turns a share of the attempts away while the server rejects too many. Defaults to none.
    public var throttle: AdaptiveThrottlePolicy?

    /// How long each attempt may take. Defaults to 10 s (Microsoft.Extensions.Http.Resilience).
    public var attemptTimeout: Duration? = .seconds(10)

    /// The classifier of outcomes, for every strategy but the breaker that has none of its own.
    public var classifier: OutcomeClassifier<Input>

    let limitingRate: @Sendable (RateLimitPolicy) -> RateLimitInterceptor<Input>

    /// Creates settings with the standard numbers for inputs of your own.
    /// - Parameters:
    ///   - retry: When and how often a failed attempt is repeated.
    ///   - health: What an outcome says about the server's health, for the breaker.
    ///   - classifier: What an outcome means, for fallback and throttle.
    ///   - limitingRate: Makes the interceptor for ``rateLimit``, as one that heeds what the server
    ///     says of its limits.
    public init(
        retry: RetryPolicy<Input>,
        health: OutcomeClassifier<Input>,
        classifier: OutcomeClassifier<Input>,
        limitingRate: @escaping @Sendable (RateLimitPolicy) -> RateLimitInterceptor<Input>
    ) {
        self.retry = retry
        self.health = health
        self.classifier = classifier
        self.limitingRate = limitingRate
    }

    /// The defaults, for inputs that are judged by error alone.
    public init() {
        self.init(
            retry: .standard,
            health: .health,
            classifier: .inherited,
            limitingRate: { RateLimitInterceptor(policy: $0) }
        )
    }
}
