/// The times and limits of a claim in an ``IdempotencyStore``.
public struct IdempotencyTerms: Sendable, Hashable {
    /// The time after which a holder that does not extend its claim has lost it.
    public var lease: Duration
    /// The time for which the record of a lost lease is kept, counted from the lease's end.
    public var lifetime: Duration
    /// The number of records that the key's principal may have at once, held and completed; `nil` for no limit.
    ///
    /// It bounds a store's size. Concurrent claims may exceed it by their number.
    public var quota: Int?
    /// Whether a claim is granted if a former holder's outcome is unknown. The effect can then take place twice, unless
    /// the handler commits the record's name and the fencing token with its effect.
    public var runsAgain: Bool

    /// Creates terms.
    /// - Parameters:
    ///   - lease: The length of a lease. Positive.
    ///   - lifetime: The time for which the record of a lost lease is kept. Positive.
    ///   - quota: The number of records of a principal at once. Defaults to no limit.
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
