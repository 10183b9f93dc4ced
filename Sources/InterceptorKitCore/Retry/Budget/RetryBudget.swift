import InterceptorKitConcurrency
import Synchronization

/// A budget for retries and hedges that successes pay for, separate for each authority.
///
/// A success pays one token and a retry costs one. A server that fails now and then therefore gets all retries, and a
/// server that never responds gets almost none. A retry after a refused connection costs two tokens. A timeout or a
/// throttled attempt costs three, even if it is not retried and even if the balance becomes negative, because both mean
/// that the server is overloaded. A client can save up three tokens, and one more for each ten calls of the last ten
/// seconds. Time refills an empty reserve within a minute.
///
/// | a client that makes | sends of each call, at most |
/// |---|---|
/// | its first call, or one call in two minutes or more | 4; 2 if connections are refused, or attempts time out or are throttled |
/// | one call a minute | the same, or 2 after a call of two timeouts or more |
/// | more calls, most of which succeed | the same, as long as successes pay |
/// | more calls, of which none succeeds | 1, and one retry in 20 s, whatever the traffic |
///
/// N small clients therefore add at most 3 N retries to an outage, and 3 N more with each minute of it; half as many if
/// connections are refused, and a third if attempts time out. 200 clients that make a call every five seconds send 1.22
/// times per call in an outage of 20 s, and 1.18 times in an overload.
///
/// Successes also pay in gRPC's retry throttling (gRFC A6) and in the AWS SDKs' retry quota. The numbers are the result
/// of a sweep over random scenarios in the league of `Examples/Resilience`.
public final class RetryBudget: RetryLimiter {
    /// The number of tokens that can be saved up whatever the traffic; also the initial number of tokens.
    public let reserve: Double
    /// The number of tokens that a success pays.
    public let tokensPerSuccess: Double
    /// The share of the calls of the last ten seconds that can be saved up besides the reserve.
    public let trafficShare: Double
    /// The time that fills an empty reserve without a success; `nil` if time refills nothing.
    public let refillTime: Duration?

    // The cost of an attempt to an overloaded server, and of a retry without a connection.
    private static let overloadCost = 3.0
    private static let connectionCost = 2.0

    private let counters: PerAuthority<RetryBudgetCounter>

    /// Creates a budget.
    /// - Parameters:
    ///   - reserve: The number of tokens that can be saved up whatever the traffic, from 0 to 1,000; also the initial
    ///     number. Defaults to 3.
    ///   - tokensPerSuccess: The number of tokens that a success pays, from 0 to 1,000. Defaults to 1.
    ///   - trafficShare: The share of the calls of the last ten seconds that can be saved up besides the
    ///     reserve, from 0 to 1,000. Defaults to 0.1.
    ///   - refillTime: The time that fills an empty reserve without a success; `nil` means that only successes pay.
    ///     Defaults to one minute.
    ///   - authorities: The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public init(
        reserve: Double = 3,
        tokensPerSuccess: Double = 1,
        trafficShare: Double = 0.1,
        refillTime: Duration? = .seconds(60),
        authorities: Int = 64
    ) {
        self.reserve = reserve
        self.refillTime = refillTime
        self.tokensPerSuccess = tokensPerSuccess
        self.trafficShare = trafficShare
        let rate = refillTime.map { reserve / $0.inSeconds } ?? 0
        counters = PerAuthority(limit: authorities) { _ in
            RetryBudgetCounter(tokens: reserve, tokensPerSecond: rate)
        }
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
        counter.refill(at: instant)
        // The failure has paid already, so one token before it suffices.
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

    /// Returns the tokens of an authority; negative if timeouts cost more tokens than there were.
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
        if let refillTime { try check.positive("refillTime", refillTime) }
    }
}

extension Classification {
    /// Whether the outcome is a sign of an overloaded server.
    var isOverload: Bool { isTimeout || kind == .throttled }
}

final class RetryBudgetCounter: Sendable {
    private struct Counts {
        var tokens: Double
        /// The number of recent calls, each of which counts less with time.
        var recent = 0.0
        var counted = Runtime.Instant(offset: .zero)
        var refilled = Runtime.Instant(offset: .zero)

        // Tolerates the rounding error of sums.
        func has(_ cost: Double) -> Bool { tokens + 1e-8 >= cost }

        mutating func refill(to reserve: Double, by rate: Double, at now: Runtime.Instant) {
            let passed = max(0, refilled.duration(to: now).inSeconds)
            refilled = max(refilled, now)
            if tokens < reserve { tokens = min(reserve, tokens + passed * rate) }
        }
    }

    // The number of seconds for which a call raises the limit on saved tokens.
    private static let traffic = 10.0

    private let reserve: Double
    private let tokensPerSecond: Double
    private let counts: Lock<Counts>

    /// Creates a counter with tokens, which time refills up to that number.
    init(tokens: Double, tokensPerSecond: Double = 0) {
        reserve = tokens
        self.tokensPerSecond = tokensPerSecond
        counts = Lock(Counts(tokens: tokens))
    }

    var tokens: Double { counts.withLock { $0.tokens } }

    func countCall(at now: Runtime.Instant) {
        counts.withLock { counts in
            counts.refill(to: reserve, by: tokensPerSecond, at: now)
            let passed = max(0, counts.counted.duration(to: now).inSeconds / Self.traffic)
            counts.recent = counts.recent / (1 + passed) + 1
            counts.counted = max(counts.counted, now)
        }
    }

    func refill(at now: Runtime.Instant) {
        counts.withLock { $0.refill(to: reserve, by: tokensPerSecond, at: now) }
    }

    func pay(_ deposit: Double, reserve: Double, trafficShare: Double) {
        counts.withLock { counts in
            let most = reserve + trafficShare * counts.recent
            counts.tokens = min(max(most, counts.tokens), counts.tokens + deposit)
        }
    }

    /// Takes tokens, down to `-debt`.
    func charge(_ cost: Double, owing debt: Double) {
        counts.withLock { $0.tokens = max(min($0.tokens, -debt), $0.tokens - cost) }
    }

    /// Takes tokens if there are enough.
    func take(_ cost: Double) -> Bool {
        counts.withLock { counts in
            guard counts.has(cost) else { return false }
            counts.tokens -= cost
            return true
        }
    }

    func has(_ cost: Double) -> Bool { counts.withLock { $0.has(cost) } }
}

/// A limit on the load that retries and hedges add to each authority.
///
/// Use ``RetryBudget``. Write your own limiter to share a limit between processes, or to follow another system's rule;
/// the example `Resilience` has the rules of gRPC and AWS.
///
/// Calls use a limiter synchronously, possibly many at a time, so every method must return at once. The authority is
/// `nil` for inputs without one.
public protocol RetryLimiter: Sendable {
    /// Records that a call's first attempt is about to be sent.
    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant)

    /// Returns whether an input may be sent again now, and counts the resend if so. Never waits.
    /// - Parameters:
    ///   - authority: The authority that the input is sent to.
    ///   - instant: The current instant.
    ///   - failure: The classification of the previous attempt; `nil` for a hedge.
    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool

    /// Records a transient or throttled failure of an attempt. Does nothing by default.
    func recordFailure(to authority: String?, _ failure: Classification)

    /// Records that a call succeeded. Does nothing by default.
    /// - Parameters:
    ///   - authority: The authority that the call was sent to.
    ///   - failure: The classification of the previous attempt, whose cost may be refunded; `nil` for the first
    ///     attempt.
    func recordSuccess(to authority: String?, after failure: Classification?)

    /// Throws if the settings cannot work. Accepts all settings by default.
    func validate() throws(SettingError)
}

extension RetryLimiter {
    public func recordFailure(to authority: String?, _ failure: Classification) {}
    public func recordSuccess(to authority: String?, after failure: Classification?) {}
    public func validate() throws(SettingError) {}
}
