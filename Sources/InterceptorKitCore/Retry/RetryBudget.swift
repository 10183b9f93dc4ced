/// A budget for sending again that successes pay for, separate for each authority.
///
/// A success pays in one token and a retry costs one, so a server that fails now and then is asked again each
/// time, and one that answers nothing is not. A retry after a refused connection costs two tokens. A timeout
/// or a throttled attempt costs three, which may be owed, also if it is not retried: both mean that the server
/// has too much to do. A client can save up three tokens, and one for each ten calls of the last ten seconds.
/// So a fleet of small clients cannot add more than three retries each to an outage, and time alone adds
/// nothing.
///
/// gRPC's retry throttling (gRFC A6) and the AWS SDKs' retry quota are paid by successes as well. The numbers
/// are the result of a sweep over random scenarios in the league of `Examples/Resilience`.
public final class RetryBudget: RetryLimiter {
    /// The tokens that can be saved up whatever the traffic; also the tokens at the beginning.
    public let reserve: Double
    /// The tokens that a success pays in.
    public let tokensPerSuccess: Double
    /// The share of the calls of the last ten seconds that can be saved up besides the reserve.
    public let trafficShare: Double

    // What an attempt costs that the server had no time for, and a retry without a connection.
    private static let overloadCost = 3.0
    private static let connectionCost = 2.0

    private let counters: PerAuthority<RetryBudgetCounter>

    /// Creates a budget.
    /// - Parameters:
    ///   - reserve: The tokens that can be saved up whatever the traffic, from 0 to 1,000; also the tokens
    ///     at the beginning. Defaults to 3.
    ///   - tokensPerSuccess: The tokens that a success pays in, from 0 to 1,000. Defaults to 1.
    ///   - trafficShare: The share of the calls of the last ten seconds that can be saved up besides the
    ///     reserve, from 0 to 1,000. Defaults to 0.1.
    ///   - authorities: The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public init(
        reserve: Double = 3,
        tokensPerSuccess: Double = 1,
        trafficShare: Double = 0.1,
        authorities: Int = 64
    ) {
        self.reserve = reserve
        self.tokensPerSuccess = tokensPerSuccess
        self.trafficShare = trafficShare
        counters = PerAuthority(limit: authorities) { _ in RetryBudgetCounter(tokens: reserve) }
    }

    public func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        counters[authority].countCall(at: instant)
    }

    public func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        let counter = counters[authority]
        // Paid already, and allowed if there was a token before.
        if failure?.isOverload == true { return counter.has(1 - Self.overloadCost) }
        return counter.take(failure?.isUnsent == true ? Self.connectionCost : 1)
    }

    public func recordFailure(to authority: String?, _ failure: Classification) {
        guard failure.isOverload else { return }
        counters[authority].charge(Self.overloadCost, owing: Self.overloadCost)
    }

    public func recordSuccess(to authority: String?, after failure: Classification?) {
        counters[authority].pay(tokensPerSuccess, reserve: reserve, trafficShare: trafficShare)
    }

    /// Returns the tokens of an authority; negative if timeouts cost more than there were.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func tokens(of authority: String?) -> Double {
        counters.known(authority)?.tokens ?? reserve
    }

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RetryBudget")
        try check.within(0...1_000, "reserve", reserve)
        try check.within(0...1_000, "tokensPerSuccess", tokensPerSuccess)
        try check.within(0...1_000, "trafficShare", trafficShare)
    }
}

extension Classification {
    /// Whether the server had no time for an attempt.
    var isOverload: Bool { isTimeout || kind == .throttled }
}
