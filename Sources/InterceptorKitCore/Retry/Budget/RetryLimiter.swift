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
