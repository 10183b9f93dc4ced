import InterceptorKitConcurrency
import Synchronization

/// A budget for sending again that successes pay for, separate for each authority.
///
/// A success pays in one token and a retry costs one, so a server that fails now and then is asked again each
/// time, and one that answers nothing is not. A retry after a refused connection costs two tokens. A timeout
/// or a throttled attempt costs three, which may be owed, also if it is not retried: both mean that the server
/// has too much to do. A client can save up three tokens, and one for each ten calls of the last ten seconds.
/// Time gives an empty reserve back within a minute.
///
/// | a client that makes | sends of each call, at most |
/// |---|---|
/// | its first call, or one call in two minutes or more | 4; 2 if connections are refused, or attempts time out or are throttled |
/// | one call a minute | the same, or 2 after a call of two timeouts or more |
/// | more calls, most of which succeed | the same, as long as successes pay |
/// | more calls, of which none succeeds | 1, and one retry in 20 s, whatever the traffic |
///
/// So N small clients add 3 N retries to an outage at most, and 3 N more with each minute of it; half as many
/// if connections are refused, and a third if attempts time out. 200 clients that make a call every five
/// seconds send 1.22 times per call in an outage of 20 s, and 1.18 times in an overload.
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
    /// The time that fills an empty reserve without a success; `nil` if time gives nothing back.
    public let refillTime: Duration?

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
    ///   - refillTime: The time that fills an empty reserve without a success; `nil` means that only successes
    ///     pay. Defaults to one minute.
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
        if let refillTime { try check.positive("refillTime", refillTime) }
    }
}

extension Classification {
    /// Whether the server had no time for an attempt.
    var isOverload: Bool { isTimeout || kind == .throttled }
}

/// An authority's tokens.
final class RetryBudgetCounter: Sendable {
    private struct Counts {
        var tokens: Double
        /// How many calls began lately: each counts less with time.
        var recent = 0.0
        var counted = Runtime.Instant(offset: .zero)
        var refilled = Runtime.Instant(offset: .zero)

        // Sums that should be one may be a little less.
        func has(_ cost: Double) -> Bool { tokens + 1e-8 >= cost }

        mutating func refill(to reserve: Double, by rate: Double, at now: Runtime.Instant) {
            let passed = max(0, refilled.duration(to: now).inSeconds)
            refilled = max(refilled, now)
            if tokens < reserve { tokens = min(reserve, tokens + passed * rate) }
        }
    }

    // For how many seconds a call raises what may be saved up.
    private static let traffic = 10.0

    private let reserve: Double
    private let tokensPerSecond: Double
    private let counts: Lock<Counts>

    /// Creates a counter with tokens, up to as many of which time gives back at a rate.
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

    /// Adds what time has brought.
    func refill(at now: Runtime.Instant) {
        counts.withLock { $0.refill(to: reserve, by: tokensPerSecond, at: now) }
    }

    func pay(_ deposit: Double, reserve: Double, trafficShare: Double) {
        counts.withLock { counts in
            let most = reserve + trafficShare * counts.recent
            counts.tokens = min(max(most, counts.tokens), counts.tokens + deposit)
        }
    }

    /// Takes tokens that may be owed.
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
/// Use ``RetryBudget``. Write your own limiter to share a limit between processes, or to follow another
/// system's rule; the example `Resilience` has those of gRPC and AWS.
///
/// Calls use it on their own path, possibly many at a time, so every method must return at once. The
/// authority is `nil` for inputs without one.
public protocol RetryLimiter: Sendable {
    /// Records that a call's first attempt is about to be sent.
    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant)

    /// Returns whether an input may be sent again now, and if so counts it. Never waits.
    /// - Parameters:
    ///   - authority: The authority that it is sent to.
    ///   - instant: The current instant.
    ///   - failure: The classification of the attempt before; `nil` for a hedge.
    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool

    /// Records a transient failure of an attempt. Does nothing by default.
    func recordFailure(to authority: String?, _ failure: Classification)

    /// Records that a call succeeded. Does nothing by default.
    /// - Parameters:
    ///   - authority: The authority that it was sent to.
    ///   - failure: The classification of the attempt before, whose count may be given back; `nil` if the
    ///     first attempt succeeded.
    func recordSuccess(to authority: String?, after failure: Classification?)

    /// Throws if the settings cannot work. Accepts all by default.
    func validate() throws(SettingError)
}

extension RetryLimiter {
    public func recordFailure(to authority: String?, _ failure: Classification) {}
    public func recordSuccess(to authority: String?, after failure: Classification?) {}
    public func validate() throws(SettingError) {}
}
