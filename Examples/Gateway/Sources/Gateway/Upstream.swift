import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTelemetry

/// Another service: the chain that leads to it, and the parts of it that the status page shows.
struct Upstream: Sendable {
    let name: String
    let origin: HTTP.Origin
    let client: HTTP.Client
    let breaker: CircuitBreaker
    let budget: RetryBudget
    let calls: ConcurrencyLimiter
    let figures: Figures
}

/// In which field callers say how much time they have, here and in the services behind.
let deadlineField = HTTP.TimeoutField.milliseconds("X-Request-Timeout-Ms")

/// Known to the orders service too.
let signingKey = SigningKey(id: "gateway", secret: "not for production".utf8)

extension Upstream {
    /// The orders service wants every request signed.
    static func orders(
        at origin: HTTP.Origin,
        _ patience: Patience,
        over transport: some Transport<HTTP.Request>,
        events: any EventSink
    ) throws -> Upstream {
        try Upstream(
            name: "orders",
            at: origin,
            patience,
            over: transport,
            events: events,
            attempts: patience.attempts
        ) {
            SignInterceptor(RequestSigner(HMACScheme(), key: signingKey))
        }
    }

    /// The prices service wants a token, and its last word on a price will do while it is away.
    static func prices(
        at origin: HTTP.Origin,
        _ patience: Patience,
        over transport: some Transport<HTTP.Request>,
        events: any EventSink,
        known: KnownPrices
    ) throws -> Upstream {
        let endpoint = TokenEndpoint(
            "\(origin)/token",
            client: .basic(id: "gateway", secret: "not for production"),
            pipeline: try Pipeline(transport: transport) { RetryInterceptor(policy: .standard) }
        )
        return try Upstream(
            name: "prices",
            at: origin,
            patience,
            over: transport,
            events: events,
            attempts: 2
        ) {
            FallbackInterceptor { outcome, _ in
                known.price(for: outcome.input.url.path).map {
                    HTTP.Response(200, headers: ["Warning": "110 - stale"], body: .text($0))
                }
            }
        } attempt: {
            TokenInterceptor(source: ClientCredentialsSource(at: endpoint), origins: [origin])
        }
    }

    /// The chain that both have in common, with two places for what each has of its own.
    private init(
        name: String,
        at origin: HTTP.Origin,
        _ patience: Patience,
        over transport: some Transport<HTTP.Request>,
        events: any EventSink,
        attempts: Int,
        @InterceptorBuilder<HTTP.Request> call: () -> [any Interceptor<HTTP.Request>] = { [] },
        @InterceptorBuilder<HTTP.Request> attempt: () -> [any Interceptor<HTTP.Request>]
    ) throws {
        self.name = name
        self.origin = origin
        let breaker = CircuitBreaker(policy: .quick)
        let budget = RetryBudget(reserve: 1000, tokensPerSuccess: patience.resends)
        let calls = ConcurrencyLimiter(policy: ConcurrencyLimitPolicy(limit: patience.limit))
        let figures = Figures()
        (self.breaker, self.budget, self.calls, self.figures) = (breaker, budget, calls, figures)
        let (ofCall, ofAttempt) = (call(), attempt())
        client = try HTTP.Client(transport: transport, timeout: patience.call, events: events) {
            ServedCallInterceptor()
            CallTracingInterceptor()
            FiguresInterceptor(figures: figures)
            BaseURLInterceptor("\(origin)")
            ofCall
            TimeoutInterceptor(total: patience.call)
            ConcurrencyLimitInterceptor(calls)
            RetryInterceptor(policy: .patient(attempts, within: budget))
            ofAttempt.filter { $0.placement != .signing }
            CircuitBreakerInterceptor(breaker)
            TimeoutInterceptor(attempt: patience.attempt)
            DeadlineFieldInterceptor(deadlineField)
            AttemptTracingInterceptor()
            ofAttempt.filter { $0.placement == .signing }
        }
    }
}

extension CircuitBreakerPolicy {
    /// Opens and closes while somebody watches.
    fileprivate static var quick: CircuitBreakerPolicy {
        var policy = CircuitBreakerPolicy()
        policy.minimumCalls = 10
        policy.window = .seconds(5)
        policy.breakDuration = .milliseconds(400)
        policy.maxBreakDuration = .seconds(1)
        return policy
    }
}

extension RetryPolicy where Input == HTTP.Request {
    /// Waits for a service that restarts, where the caller's time allows it. Nothing may be lost here, so
    /// there are more attempts than the standard has, bounded by the time and the budget.
    fileprivate static func patient(_ attempts: Int, within budget: RetryBudget) -> RetryPolicy {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = attempts
        policy.allowsManyAttempts = true
        policy.backoff = Backoff(base: .milliseconds(100), cap: .seconds(1))
        policy.overloadBackoff = Backoff(base: .milliseconds(200), cap: .seconds(1))
        policy.budget = budget
        return policy
    }
}
