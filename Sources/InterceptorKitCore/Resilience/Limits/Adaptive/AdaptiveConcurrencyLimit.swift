/// A limit for the attempts in flight that adapts to the capacity of a server.
///
/// When more than a quarter of the last outcomes are timeouts, a timeout lowers the limit by three tenths, but never
/// below a number of attempts that were just served well. Successes raise the limit again while it is in use. A timeout
/// with no other attempt in flight says nothing about load. Neither do immediate failures or throttling, which may
/// concern one caller alone.
///
/// Attempts above the limit wait. The newest goes first, because the oldest has the least time left. After a second
/// without a response, one attempt every 250 ms exceeds the limit, so that calls go on as soon as the server does.
///
/// All calls to an authority share the limit, or those with the same ``Call/limitPartition``. If the calls are of kinds
/// with separate capacities, a busy kind delays the others. Therefore the standard chain has no such limit by default.
///
/// The numbers are the result of a sweep over random scenarios in the league of `Examples/Resilience`. The increase and
/// decrease are those of TCP (RFC 5681), and the order of the queue is that of Facebook's "Fail at Scale" (ACM Queue,
/// 2015).
public struct AdaptiveConcurrencyLimit: Sendable, Hashable {
    /// The initial limit. Until the first attempt times out, it grows exponentially as needed. Defaults to 20.
    public var initial = 20

    /// The smallest and the largest limit. Defaults to 1 to 1,000.
    public var range = 1...1000

    /// The number of attempts that may wait; above it, the oldest of the least important are rejected. Defaults to 300.
    public var queueLimit = 300

    /// The longest time that an attempt waits, unless its call's deadline comes first. Defaults to 3 s.
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
