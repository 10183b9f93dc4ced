/// How many calls may go to one authority in a time, and what the other side's wishes are worth.
public struct RateLimitPolicy: Sendable, Hashable {
    /// How many calls may begin in each ``period``, evenly spread; `nil` for as many as like, until the other
    /// side says something else.
    public var calls: Int?

    /// The time ``calls`` are for.
    public var period: Duration

    /// How many calls may begin at once after a quiet time. Defaults to ``calls``.
    public var burst: Int

    /// How many calls to one authority may wait for their turn. Defaults to 1,000.
    public var queueLimit = 1000

    /// The longest wait the other side can ask for; what it asks beyond counts as this. Defaults to 60 s.
    ///
    /// Without an end to it, an answer with a mistake in it would shut a client out for years
    /// (go-retryablehttp issue 248).
    public var maxPause: Duration = .seconds(60)

    /// For how many authorities the state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// So many calls in a time.
    /// - Parameters:
    ///   - calls: How many may begin in each period.
    ///   - period: The time they are for. Defaults to one second.
    ///   - burst: How many may begin at once after a quiet time. Defaults to `calls`.
    public init(calls: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.calls = calls
        self.period = period
        self.burst = burst ?? calls
    }

    /// No limit but what the other side says.
    public static let asAdvised: RateLimitPolicy = {
        var policy = RateLimitPolicy(calls: 1)
        policy.calls = nil
        return policy
    }()

    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RateLimitPolicy")
        if let calls { try check.positive("calls", calls) }
        try check.positive("period", period)
        try check.within(1...1_000_000_000, "burst", burst)
        try check.notNegative("queueLimit", queueLimit)
        try check.notNegative("maxPause", maxPause)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension RateLimitPolicy: CheckedPolicy {}
