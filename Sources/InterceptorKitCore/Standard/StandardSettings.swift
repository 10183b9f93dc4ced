/// The strategies of the standard chain, and their numbers.
///
/// Start from the defaults and change what differs. Set a strategy to `nil` to leave it out.
///
/// ```swift
/// var settings = StandardSettings<HTTP.Request>()
/// settings.attemptTimeout = .seconds(2)
/// settings.rateLimit = RateLimitPolicy(calls: 100)
/// let api = try HTTP.Client.standard(settings, transport: URLSessionTransport())
/// ```
///
/// A pipeline refuses numbers that cannot work together, and its error says why. A breaker and the budgets are objects:
/// chains made from copies of one value share their state.
public struct StandardSettings<Input: Interceptable>: Sendable {
    /// The closure that makes a fallback for a failure; see ``FallbackInterceptor``. Defaults to none.
    public var fallback: FallbackInterceptor<Input>.Answer?

    /// The longest time for a whole call. Defaults to 30 s (Microsoft.Extensions.Http.Resilience).
    public var totalTimeout: Duration? = .seconds(30)

    /// A fixed limit for the calls in flight. Defaults to none.
    public var concurrencyLimit: ConcurrencyLimitPolicy?

    /// The interceptor that shares one send among equal calls. Defaults to none.
    public var coalescing: CoalescingInterceptor<Input>?

    /// The rules for retries. Defaults to 4 sends in total, with a budget.
    public var retry: RetryPolicy<Input>? = .standard

    /// The rules for hedges, in place of retries. Defaults to none.
    public var hedge: HedgePolicy<Input>?

    /// The circuit breaker, which rejects attempts while too many fail. Defaults to none, because a breaker rejects
    /// calls that could still succeed.
    public var breaker: CircuitBreaker?

    /// The classifier of the server's health, for the breaker.
    public var health: OutcomeClassifier<Input> = .health

    /// The rate at which attempts may begin. Defaults to no limit.
    public var rateLimit: RateLimitPolicy?

    /// The limit for the attempts in flight, which adapts to the capacity of the server. Defaults to none, because it
    /// delays calls that the server has room for if not all calls share one capacity. If they do, set
    /// `adaptiveLimit = AdaptiveConcurrencyLimit()`.
    public var adaptiveLimit: AdaptiveConcurrencyLimit?

    /// The longest time for each attempt. Defaults to 10 s (Microsoft.Extensions.Http.Resilience).
    public var attemptTimeout: Duration? = .seconds(10)

    /// The classifier of outcomes, for every strategy except the breaker, unless the strategy has its own classifier.
    public var classifier: OutcomeClassifier<Input> = .inherited

    /// Creates the default settings, by the rules of the input's type (``Interceptable/defaults``).
    public init() {}
}
