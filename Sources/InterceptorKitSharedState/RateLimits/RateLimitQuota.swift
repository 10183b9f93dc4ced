public import InterceptorKit

/// How many permits a shared limit gives in a period.
public struct RateLimitQuota: Sendable, Hashable {
    /// The longest wait for a permit: 60 s, as for a server's hint in `RateLimitPolicy`.
    public static let longestWait: Duration = .seconds(60)

    /// The permits in each ``period``, evenly spread.
    public var count: Int
    /// The period that ``count`` counts for.
    public var period: Duration
    /// The permits that may be taken at once after an idle time.
    public var burst: Int

    /// Creates a quota.
    /// - Parameters:
    ///   - count: The permits in each period.
    ///   - period: The period. Defaults to one second.
    ///   - burst: The permits that may be taken at once after an idle time. Defaults to `count`.
    public init(_ count: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.count = count
        self.period = period
        self.burst = burst ?? count
    }

    /// The time in which one permit comes back.
    public var interval: Duration { period / Double(max(1, count)) }

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RateLimitQuota")
        try check.within(1...1_000_000, "count", count)
        try check.within(.milliseconds(1) ... .seconds(31 * 86_400), "period", period)
        try check.within(1...1_000_000, "burst", burst)
    }

    /// Throws unless a store may give so many permits at once, and every time is one to count with.
    package func check(_ permits: Int) throws(SettingError) {
        let check = SettingCheck(of: "RateLimitQuota")
        try check.within(1...1_000_000, "count", count)
        try check.within(1...1_000_000, "burst", burst)
        // A share of one of many replicas has a longer period than `validate()` allows.
        let longest = Duration.seconds(31 * 86_400 * 1_000_000)
        try check.within(.milliseconds(1)...longest, "period", period)
        try SettingCheck(of: "RateLimitStore.take").within(1...burst, "permits", permits)
    }

    /// The quota of one of several replicas that each limit by themselves: an equal share, at least one permit.
    func share(of replicas: Int) -> RateLimitQuota {
        // The period grows instead of the count, which is whole.
        var share = self
        share.period = period * max(1, replicas)
        share.burst = max(1, burst / max(1, replicas))
        return share
    }
}
