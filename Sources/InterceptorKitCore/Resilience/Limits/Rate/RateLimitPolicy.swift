/// The rate at which calls may begin to one authority, or to one partition of its limits (``Call/limitPartition``).
public struct RateLimitPolicy: Sendable, Hashable {
    /// The number of calls that may begin in each ``period``, evenly spread; `nil` means no limit until a server's
    /// hint.
    public var calls: Int?

    /// The period to which ``calls`` applies.
    public var period: Duration

    /// The number of calls that may begin at once after an idle time. Defaults to ``calls``.
    public var burst: Int

    /// The maximum number of calls to one authority that wait. Defaults to 1,000.
    public var queueLimit = 1000

    /// Whether all calls without a ``Call/limitPartition`` count against the same limit of their server, such as those
    /// of a client with one credential. Defaults to `false`: a hint to one of them does not apply to the others,
    /// because the server may limit each of its tenants.
    public var isOnePartition = false

    /// The longest wait that a server's hint can cause; longer hints count as this. Defaults to 60 s.
    ///
    /// Without it, one wrong response could block a client for years (go-retryablehttp issue 248).
    public var maxPause: Duration = .seconds(60)

    /// The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates a policy with a rate.
    /// - Parameters:
    ///   - calls: The number of calls that may begin in each period.
    ///   - period: The period. Defaults to one second.
    ///   - burst: The number of calls that may begin at once after an idle time. Defaults to `calls`.
    public init(calls: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.calls = calls
        self.period = period
        self.burst = burst ?? calls
    }

    /// The policy without its own rate: calls with the same ``Call/limitPartition`` share the server's hints.
    public static let asAdvised: RateLimitPolicy = {
        var policy = RateLimitPolicy(calls: 1)
        policy.calls = nil
        return policy
    }()

    /// Throws if a value isn't allowed.
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
