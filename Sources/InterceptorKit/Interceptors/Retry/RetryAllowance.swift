/// Bounds what repeated sends add to the load of each authority: a budget that retries and hedges share.
///
/// ``RetryBudget`` is the one to use. Write one of your own to share a bound between processes, or to bound
/// retries as another system does; the example `Resilience` has gRPC's and AWS's.
///
/// All of it is called on the call's own path, possibly by many calls at once: answer at once. An
/// authority is `nil` where inputs do not say where they go.
public protocol RetryAllowance: Sendable {
    /// A call's first attempt is about to be sent.
    func noteFirstAttempt(to authority: String?, at instant: Runtime.Instant)

    /// Whether an input may be sent again now; takes the price if so. Never waits.
    /// - Parameters:
    ///   - authority: Where it goes.
    ///   - instant: The present.
    ///   - failure: What the attempt before came to; `nil` for a hedge, which follows none.
    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool

    /// An attempt failed in a way that another may not. Does nothing by default.
    func noteFailure(to authority: String?, _ failure: Classification)

    /// A call succeeded. Does nothing by default.
    /// - Parameters:
    ///   - authority: Where it went.
    ///   - failure: What the attempt before came to, whose price may be given back; `nil` if the first
    ///     attempt succeeded.
    func noteSuccess(to authority: String?, after failure: Classification?)

    /// Throws if the settings cannot work. Accepts all by default.
    func validate() throws(SettingError)
}

extension RetryAllowance {
    public func noteFailure(to authority: String?, _ failure: Classification) {}
    public func noteSuccess(to authority: String?, after failure: Classification?) {}
    public func validate() throws(SettingError) {}
}
