/// A limit for the attempts in flight that finds out by itself how much a server takes.
///
/// Timeouts lower the limit by three tenths, as soon as they are more than a quarter of the last outcomes,
/// but never below what was just served well; successes under a limit that is in use raise it again. A
/// timeout with no other attempt in flight says nothing about load, and neither do failures that come at
/// once or a server that throttles, which may concern one caller alone.
///
/// Attempts above the limit wait, the newest first, because the oldest have the least time left. When no
/// answer has come for a second, one attempt every 250 ms is let through above the limit, so that calls go on
/// as soon as the server does.
///
/// The limit is one for all calls to an authority, or for those with the same ``Call/limitPartition``: where
/// the calls are of kinds with their own capacity, a busy kind delays the others. That is why it is off by
/// default in the standard chain.
///
/// The numbers are the result of a sweep over random scenarios in the league of `Examples/Resilience`; the
/// increase and decrease are those of TCP (RFC 5681), the order of the queue is that of Facebook's "Fail at
/// Scale" (ACM Queue, 2015).
public struct AdaptiveConcurrencyLimit: Sendable, Hashable {
    /// The initial limit. Until the first attempt times out, it doubles as needed. Defaults to 20.
    public var initial = 20

    /// The smallest and the largest limit. Defaults to 1 to 1,000.
    public var range = 1...1000

    /// The number of attempts that may wait. When more come, the oldest of the least important are rejected.
    /// Defaults to 300.
    public var queueLimit = 300

    /// The longest time an attempt waits, or until its call's deadline if that is sooner. Defaults to 3 s.
    public var maxWait: Duration = .seconds(3)

    /// The number of authorities whose state is kept; see ``PerAuthority``. Defaults to 64.
    public var authorityLimit = 64

    /// Creates settings with the default numbers.
    public init() {}

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "AdaptiveConcurrencyLimit")
        try check.positive("range.lowerBound", range.lowerBound)
        try check.within(range, "initial", initial)
        try check.notNegative("queueLimit", queueLimit)
        try check.positive("maxWait", maxWait)
        try check.positive("authorityLimit", authorityLimit)
    }
}

extension AdaptiveConcurrencyLimit: CheckedPolicy {}
