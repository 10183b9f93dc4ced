/// When a ``CircuitBreaker`` opens, for how long, and when it closes again.
///
/// The defaults are for a client of many services: few calls are needed, and half of them have to fail. With
/// a lower ratio a dependency that answers 80 to 90 of 100 calls is turned into one that answers none
/// (dotnet/extensions issue 7686, about a ratio of 0.1).
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// The share of failures at which it opens. Defaults to 0.5, as in resilience4j.
    public var failureRatio = 0.5

    /// How many calls the window must hold before the ratio says anything. Defaults to 20.
    public var minimumCalls = 20

    /// How far back calls count, in tenths that leave one by one. Defaults to 30 s, as in Polly.
    public var window: Duration = .seconds(30)

    /// From which duration on a call is slow; `nil`, the default, means none is.
    ///
    /// A call's time is that until its output, for a response until its head.
    public var slowCallDuration: Duration?

    /// The share of slow calls at which it opens. Defaults to 1, as in resilience4j.
    public var slowCallRatio = 1.0

    /// How long it stays open the first time; doubled each time a probe fails. Defaults to 5 s, as in Polly.
    public var breakDuration: Duration = .seconds(5)

    /// The longest break. Defaults to 60 s.
    public var maxBreakDuration: Duration = .seconds(60)

    /// By which part a break is longer or shorter at random, so that clients which failed together do not
    /// come back together. Defaults to 0.2.
    public var jitter = 0.2

    /// How many probes must succeed before it closes. Defaults to 2.
    public var successesToClose = 2

    /// How much of the other side's wish to wait (`Retry-After`) counts; a break is not shorter than
    /// the wish up to this. Defaults to 60 s.
    public var maxRetryAfter: Duration = .seconds(60)

    /// For how many authorities the state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates a policy with the default numbers.
    public init() {}

    /// Throws if the numbers cannot work.
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
