/// What a strategy does to calls whose outcome does not depend on the client's own load.
///
/// A call is harmed if it succeeds without a strategy, with the same time limits, and with the strategy fails,
/// or is answered later. Every strategy meets the same world, so a call
/// that succeeds without a strategy needs no retry.
enum Harm {
    private static let tolerance = 0.001
    // Where calls share a queue, those that are sent again stand in it for a moment.
    private static let queueTolerance = 0.1

    /// The number of calls that a strategy harms.
    static func count(_ entries: [Tally.Entry], bare: [Tally.Entry], _ scenario: Scenario) -> Int {
        zip(entries, bare).count { entry, bare in
            guard entry.isIndependent || scenario.isIndependentOfLoad else { return false }
            return isHarmed(entry, bare, scenario.limits)
        }
    }

    private static func isHarmed(
        _ entry: Tally.Entry,
        _ bare: Tally.Entry,
        _ limits: TimeLimits
    ) -> Bool {
        guard bare.isInTime(limits), let answered = bare.answered else { return false }
        guard entry.isInTime(limits), let later = entry.answered else { return true }
        return later > answered + (entry.isIndependent ? tolerance : queueTolerance)
    }
}

extension Scenario {
    /// Whether the service has room for every call twice over, so that no call is late because of another.
    var isIndependentOfLoad: Bool {
        let isThrottled = rateLimit > 0 || pause.length > 0 || rampUp > 0
        let least = min(capacity, impairedCapacity)
        return !isThrottled && least >= 2 * calls * burst.factor && queue >= Int(calls)
    }
}
