#if ServiceLifecycle
public import InterceptorKit
import Synchronization

/// Turns the retries and hedges of a client's calls off, for good.
///
/// ```swift
/// let retries = RetrySwitch()
/// settings.strategies.stopRetries(with: retries)
/// settings.interceptors.append(RetrySwitchInterceptor(retries))
/// ```
///
/// ``ClientService`` turns it off when the program shuts down: a retry then costs time that the program does not
/// have, and load that its callers will cause again. It is on until then.
public final class RetrySwitch: Sendable {
    private let isTurnedOff = Atomic(false)

    /// Creates a switch that is on.
    public init() {}

    /// Whether retries and hedges may begin.
    public var isOn: Bool { !isTurnedOff.load(ordering: .relaxed) }

    /// Turns retries and hedges off. Attempts under way go on.
    public func turnOff() { isTurnedOff.store(true, ordering: .relaxed) }

    /// Returns a limiter that allows nothing once the switch is off, so that a call ends with the outcome it has.
    /// - Parameter limiter: The limiter that decides until then; `nil` means no limit.
    public func limiting(_ limiter: (any RetryLimiter)?) -> any RetryLimiter {
        SwitchedLimiter(retries: self, base: limiter)
    }
}

extension StandardSettings {
    /// Puts a switch before the budgets of the retry and of the hedge.
    ///
    /// Retries that wait already are stopped by a ``RetrySwitchInterceptor`` alone.
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
