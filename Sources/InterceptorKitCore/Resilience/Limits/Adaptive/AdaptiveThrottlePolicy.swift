/// The rules by which calls are rejected locally because the server rejects too many.
///
/// The rule is from the chapter *Handling Overload* in Google's *Site Reliability Engineering*. With `calls`,
/// the number of recent calls, and `accepted`, the number that the server accepted, a call is rejected with
/// the probability (calls - ``multiplier`` * accepted) / (calls + 1).
public struct AdaptiveThrottlePolicy: Sendable, Hashable {
    /// The number of calls for each accepted one before any is rejected. Defaults to 2: while the server
    /// accepts half, every call is sent.
    public var multiplier = 2.0

    /// The sliding window in which calls count. Defaults to 2 minutes.
    public var window: Duration = .seconds(120)

    /// The largest probability of a rejection, so that some calls always test the server. Defaults to 0.9, as
    /// in failsafe-go.
    public var maxRejection = 0.9

    /// The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates a policy with the default numbers.
    public init() {}

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "AdaptiveThrottlePolicy")
        try check.within(1...1_000, "multiplier", multiplier)
        try check.positive("window", window)
        try check.within(0...0.999, "maxRejection", maxRejection)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension AdaptiveThrottlePolicy: CheckedPolicy {
    /// The probability with which the next call is rejected.
    func rejection(_ count: SlidingWindowCounter.Count) -> Double {
        let accepted = Double(count.calls - count.failures)
        let excess = (Double(count.calls) - multiplier * accepted) / Double(count.calls + 1)
        return min(max(0, excess), maxRejection)
    }
}
