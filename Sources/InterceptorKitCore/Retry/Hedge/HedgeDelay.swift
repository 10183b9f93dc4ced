/// The time after which a hedge is sent beside a slow attempt.
public struct HedgeDelay: Sendable, Hashable {
    enum Rule: Sendable, Hashable {
        case fixed(Duration)
        case percentile(Percentile)
    }

    struct Percentile: Sendable, Hashable {
        var fraction: Double
        var minimumSamples: Int
        var floor: Duration
        var refresh: Duration
        var fallback: Duration?
    }

    let rule: Rule

    /// Returns a fixed delay.
    /// - Parameter delay: The delay. Defaults to 2 s (Polly).
    public static func fixed(_ delay: Duration = .seconds(2)) -> HedgeDelay {
        HedgeDelay(rule: .fixed(delay))
    }

    /// Returns a delay at a percentile of the recent latencies of the same authority, so that few calls send a hedge.
    ///
    /// The latencies are those of successes, of attempts overtaken by another, and of failures that took at least the
    /// delay. A quick failure says nothing about how long a response takes.
    /// - Parameters:
    ///   - fraction: The percentile as a fraction, from 0.5 to 0.999. Defaults to 0.95, which adds 5 % of
    ///     load (Dean and Barroso, The Tail at Scale).
    ///   - minimumSamples: The number of latencies needed before the percentile is used. Defaults to 100.
    ///   - floor: The shortest delay. Defaults to 1 ms (Finagle).
    ///   - refresh: The time for which a percentile is used before it is computed again. Defaults to 3 s (Finagle).
    ///   - fallback: The delay while there are too few latencies; `nil` sends no hedge then. Defaults to 2 s (Polly).
    public static func percentile(
        _ fraction: Double = 0.95,
        minimumSamples: Int = 100,
        floor: Duration = .milliseconds(1),
        refresh: Duration = .seconds(3),
        fallback: Duration? = .seconds(2)
    ) -> HedgeDelay {
        HedgeDelay(
            rule: .percentile(
                Percentile(
                    fraction: fraction,
                    minimumSamples: minimumSamples,
                    floor: floor,
                    refresh: refresh,
                    fallback: fallback
                )
            )
        )
    }

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "HedgeDelay")
        switch rule {
        case .fixed(let delay):
            try check.notNegative("delay", delay)
        case .percentile(let rule):
            try check.within(0.5...0.999, "fraction", rule.fraction)
            try check.positive("minimumSamples", rule.minimumSamples)
            try check.notNegative("floor", rule.floor)
            try check.notNegative("refresh", rule.refresh)
            if let fallback = rule.fallback { try check.notNegative("fallback", fallback) }
        }
    }
}
