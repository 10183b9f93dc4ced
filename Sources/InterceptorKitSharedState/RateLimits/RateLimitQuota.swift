public import InterceptorKit

/// The number of permits that a shared limit gives in a period.
public struct RateLimitQuota: Sendable, Hashable {
    /// The longest wait for a permit: 60 s, as for a server's hint in `RateLimitPolicy`.
    public static let longestWait: Duration = .seconds(60)

    /// The number of permits in each ``period``, evenly spread.
    public var count: Int
    /// The period to which ``count`` applies.
    public var period: Duration
    /// The number of permits that may be taken at once after an idle time.
    public var burst: Int

    /// Creates a quota.
    /// - Parameters:
    ///   - count: The number of permits in each period.
    ///   - period: The period. Defaults to one second.
    ///   - burst: The number of permits that may be taken at once after an idle time. Defaults to `count`.
    public init(_ count: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.count = count
        self.period = period
        self.burst = burst ?? count
    }

    /// The time in which one permit is refilled.
    public var interval: Duration { period / Double(max(1, count)) }

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RateLimitQuota")
        try check.within(1...1_000_000, "count", count)
        try check.within(.milliseconds(1) ... .seconds(31 * 86_400), "period", period)
        try check.within(1...1_000_000, "burst", burst)
    }

    /// Throws unless a store may give this number of permits at once and can compute with the quota's times.
    package func check(_ permits: Int) throws(SettingError) {
        let check = SettingCheck(of: "RateLimitQuota")
        try check.within(1...1_000_000, "count", count)
        try check.within(1...1_000_000, "burst", burst)
        // The share of one of many replicas has a longer period than `validate()` allows.
        let longest = Duration.seconds(31 * 86_400 * 1_000_000)
        try check.within(.milliseconds(1)...longest, "period", period)
        try SettingCheck(of: "RateLimitStore.take").within(1...burst, "permits", permits)
    }

    /// Returns the quota of one of several replicas that limit separately: an equal share, at least one permit.
    func share(of replicas: Int) -> RateLimitQuota {
        // The period grows instead of the count, which must be whole.
        var share = self
        share.period = period * max(1, replicas)
        share.burst = max(1, burst / max(1, replicas))
        return share
    }
}
