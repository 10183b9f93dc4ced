/// A retry limiter that allows retries as a fraction of first attempts, for each authority and time window.
///
/// Every first attempt adds `ratio` to the budget, and every further send takes one from it; both expire
/// after `lifetime`. A floor keeps retries possible at low traffic. With the defaults, in any ten seconds of
/// a total outage at n first attempts, at most n · 1.2 + 10 are sent.
///
/// This is the budget of Finagle and tower with a lower floor: theirs of 10 per second doubles the load of a
/// client that makes ten requests per second. To share one between retries, hedges and clients, give all the
/// same object.
public final class RetryBudget: RetryLimiter {
    /// The allowed number of further attempts for each first attempt.
    public let ratio: Double
    /// The number of further attempts per second that are allowed without any first attempts.
    public let floorPerSecond: Double
    /// The time for which first and further attempts count.
    public let lifetime: Duration

    private let counters: PerAuthority<RetryBudgetCounter>

    /// Creates a budget.
    /// - Parameters:
    ///   - ratio: The allowed number of further attempts for each first attempt, from 0 to 1,000. Defaults to 0.2
    ///     (Finagle, tower).
    ///   - floorPerSecond: The number of further sends per second that are allowed without any first
    ///     attempts. Defaults to 1.
    ///   - lifetime: How long first attempts and further sends count, from 1 s to 60 s. Defaults to 10 s
    ///     (Finagle, tower), in ten slots.
    ///   - authorities: The number of authorities that are remembered; the least recently used one is
    ///     removed. Defaults to 64 (the partitions of AWS's clients).
    public init(
        ratio: Double = 0.2,
        floorPerSecond: Double = 1,
        lifetime: Duration = .seconds(10),
        authorities: Int = 64
    ) {
        self.ratio = ratio
        self.floorPerSecond = floorPerSecond
        self.lifetime = lifetime
        // What was not validated must not trap either.
        let counted = min(max(lifetime, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
        counters = PerAuthority(limit: authorities) { _ in RetryBudgetCounter(lifetime: counted) }
    }

    public func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        counters[authority].addFirst(at: instant)
    }

    public func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        counters[authority].takeFurther(at: instant, floor: floor, ratio: ratio)
    }

    /// Returns the number of further attempts that are allowed now, fractions included.
    public func balance(of authority: String?, at instant: Runtime.Instant) -> Double {
        counters[authority].balance(at: instant, floor: floor, ratio: ratio)
    }

    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RetryBudget")
        try check.within(0...1_000, "ratio", ratio)
        try check.within(0...1_000_000, "floorPerSecond", floorPerSecond)
        try check.require(
            Self.lifetimes.contains(lifetime),
            "lifetime",
            lifetime.formattedSeconds,
            "from 1 s to 60 s"
        )
    }

    private static let lifetimes: ClosedRange<Duration> = .seconds(1) ... .seconds(60)

    private var floor: Double { floorPerSecond * lifetime.inSeconds }
}
