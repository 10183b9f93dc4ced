/// The rules by which a ``CircuitBreaker`` opens and closes.
///
/// The defaults suit a client of many services: few calls suffice, and half of them must fail. A ratio of 0.1 turns a
/// server that handles 80 to 90 of 100 calls into one that handles none (dotnet/extensions issue 7686).
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// The share of failures at which the circuit opens. Defaults to 0.5, as in resilience4j.
    public var failureRatio = 0.5

    /// The minimum number of calls in the window before the ratios count. Defaults to 20.
    public var minimumCalls = 20

    /// The sliding window in which calls count, in ten slots. Defaults to 30 s, as in Polly.
    public var window: Duration = .seconds(30)

    /// The duration from which a call counts as slow. Defaults to `nil`, which means never.
    ///
    /// A call's duration ends with its output, for a response with its head.
    public var slowCallDuration: Duration?

    /// The share of slow calls at which the circuit opens. Defaults to 1, as in resilience4j.
    public var slowCallRatio = 1.0

    /// The length of the first break, which doubles each time a probe fails. Defaults to 5 s, as in Polly.
    public var breakDuration: Duration = .seconds(5)

    /// The longest break. Defaults to 60 s.
    public var maxBreakDuration: Duration = .seconds(60)

    /// The random fraction by which a break is longer or shorter, so that clients that failed together don't return
    /// together. Defaults to 0.2.
    public var jitter = 0.2

    /// The number of probes that must succeed before the circuit closes. Defaults to 2.
    public var successesToClose = 2

    /// The longest `Retry-After` that is honoured: a break is at least as long as the server's `Retry-After`, up to
    /// this limit. Defaults to 60 s.
    public var maxRetryAfter: Duration = .seconds(60)

    /// The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates a policy with the default numbers.
    public init() {}

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "CircuitBreakerPolicy")
        try check.share("failureRatio", failureRatio)
        try check.positive("minimumCalls", minimumCalls)
        try check.positive("window", window)
        if let slowCallDuration { try check.positive("slowCallDuration", slowCallDuration) }
        try check.share("slowCallRatio", slowCallRatio)
        try check.positive("breakDuration", breakDuration)
        try check.positive("maxBreakDuration", maxBreakDuration)
        try check.require(
            breakDuration <= maxBreakDuration,
            "breakDuration",
            breakDuration.formattedSeconds,
            "at most maxBreakDuration, \(maxBreakDuration.formattedSeconds)"
        )
        try check.within(0...0.9, "jitter", jitter)
        try check.positive("successesToClose", successesToClose)
        try check.notNegative("maxRetryAfter", maxRetryAfter)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension CircuitBreakerPolicy: CheckedPolicy {}
