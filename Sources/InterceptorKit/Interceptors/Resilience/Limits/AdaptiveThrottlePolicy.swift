/// When calls are turned away because the other side turns away too many.
///
/// The rule is that of the chapter *Handling Overload* in Google's *Site Reliability Engineering*:
/// with `calls` the calls made lately and `accepted` those the other side took on, a call is turned
/// away with the probability (calls - ``multiplier`` * accepted) / (calls + 1).
public struct AdaptiveThrottlePolicy: Sendable, Hashable {
    /// How many calls may be made for each one that is accepted before any is turned away. Defaults to 2:
    /// while the other side accepts half, everything is let through.
    public var multiplier = 2.0

    /// How far back calls count. Defaults to 2 minutes.
    public var window: Duration = .seconds(120)

    /// The largest probability, so that something always gets through to find out. Defaults to 0.9, as
    /// in failsafe-go.
    public var maxRejection = 0.9

    /// For how many authorities the state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates a policy with the default numbers.
    public init() {}

    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "AdaptiveThrottlePolicy")
        try check.within(1...1_000, "multiplier", multiplier)
        try check.positive("window", window)
        try check.within(0...0.999, "maxRejection", maxRejection)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension AdaptiveThrottlePolicy: CheckedPolicy {
    /// The probability with which the next call is turned away.
    func rejection(_ count: SlidingTally.Count) -> Double {
        let accepted = Double(count.calls - count.failures)
        let excess = (Double(count.calls) - multiplier * accepted) / Double(count.calls + 1)
        return min(max(0, excess), maxRejection)
    }
}
