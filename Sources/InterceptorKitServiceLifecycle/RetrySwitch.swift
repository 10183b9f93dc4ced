#if ServiceLifecycle
public import InterceptorKit
import Synchronization

/// A switch that turns off the retries and hedges of a client's calls permanently.
///
/// ```swift
/// let retries = RetrySwitch()
/// settings.strategies.stopRetries(with: retries)
/// settings.interceptors.append(RetrySwitchInterceptor(retries))
/// ```
///
/// It is on at first. ``ClientService`` turns it off when the program shuts down, because a retry would then cost time
/// that the program does not have, and add load that the callers will cause again.
public final class RetrySwitch: Sendable {
    private let isTurnedOff = Atomic(false)

    /// Creates a switch that is on.
    public init() {}

    /// Whether retries and hedges may begin.
    public var isOn: Bool { !isTurnedOff.load(ordering: .relaxed) }

    /// Turns retries and hedges off. Attempts in flight continue.
    public func turnOff() { isTurnedOff.store(true, ordering: .relaxed) }

    /// Returns a limiter that allows no retry once the switch is off, so that a call ends with its current outcome.
    /// - Parameter limiter: The limiter that decides while the switch is on; `nil` for no limit.
    public func limiting(_ limiter: (any RetryLimiter)?) -> any RetryLimiter {
        SwitchedLimiter(retries: self, base: limiter)
    }
}

extension StandardSettings {
    /// Puts a switch in front of the budgets of the retry and the hedge.
    ///
    /// Only a ``RetrySwitchInterceptor`` stops retries that are already waiting.
    /// - Parameter retries: The switch.
    public mutating func stopRetries(with retries: RetrySwitch) {
        let (retryBudget, hedgeBudget) = (retry?.budget, hedge?.budget)
        retry?.budget = retries.limiting(retryBudget)
        hedge?.budget = retries.limiting(hedgeBudget)
    }
}

private struct SwitchedLimiter: RetryLimiter {
    let retries: RetrySwitch
    let base: (any RetryLimiter)?

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        base?.recordFirstAttempt(to: authority, at: instant)
    }

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        guard retries.isOn else { return false }
        return base?.allowsResend(to: authority, at: instant, after: failure) ?? true
    }

    func recordFailure(to authority: String?, _ failure: Classification) {
        base?.recordFailure(to: authority, failure)
    }

    func recordSuccess(to authority: String?, after failure: Classification?) {
        base?.recordSuccess(to: authority, after: failure)
    }

    func validate() throws(SettingError) { try base?.validate() }
}
#endif
