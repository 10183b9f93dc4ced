/// The times and limits of a claim in an ``IdempotencyStore``.
public struct IdempotencyTerms: Sendable, Hashable {
    /// The time after which a holder that does not extend its claim has lost it.
    public var lease: Duration
    /// The time for which the record of a lost lease is kept, counted from the lease's end.
    public var lifetime: Duration
    /// The number of records that the key's principal may have at once, held and completed; `nil` for no
    /// limit.
    ///
    /// It bounds a store's size. A store may exceed it by the claims that are under way at once.
    public var quota: Int?
    /// Whether a claim is granted if a former holder's outcome is unknown. Without a handler that commits the
    /// record's name and the fencing token with its effect, the effect can then take place twice.
    public var runsAgain: Bool

    /// Creates terms.
    /// - Parameters:
    ///   - lease: The time of a lease. Positive.
    ///   - lifetime: The time for which the record of a lost lease is kept. Positive.
    ///   - quota: The records of a principal at once. Defaults to no limit.
    ///   - runsAgain: Whether a claim is granted if a former outcome is unknown. Defaults to `false`.
    public init(
        lease: Duration,
        lifetime: Duration,
        quota: Int? = nil,
        runsAgain: Bool = false
    ) {
        self.lease = lease
        self.lifetime = lifetime
        self.quota = quota
        self.runsAgain = runsAgain
    }
}
