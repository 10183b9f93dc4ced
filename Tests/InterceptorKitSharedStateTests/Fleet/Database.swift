import InterceptorKitConcurrency
import InterceptorKitSharedState
import Synchronization

/// What the handlers of a fleet change: orders, each with the record and the token that it was made under.
final class Database: Sendable {
    /// The transaction of a holder that another has overtaken.
    struct Overtaken: Error {}

    /// The tokens of each record's transactions, in order.
    private let tokens = Lock<[String: [Int64]]>([:])
    private let checksTokens: Bool

    /// - Parameter checksTokens: Whether a transaction looks for an order of the same record, and refuses a
    ///   token that is smaller than the last one. Defaults to `true`.
    init(checksTokens: Bool = true) { self.checksTokens = checksTokens }

    /// Makes the order of a request, unless it is there, in one transaction.
    /// - Returns: The token that the order was made under.
    func commit(_ lease: IdempotencyLease) throws(Overtaken) -> Int64 {
        let made: Int64? = tokens.withLock { tokens in
            let earlier = tokens[lease.key.name, default: []]
            if checksTokens, lease.token < earlier.last ?? 0 { return nil }
            tokens[lease.key.name] = earlier + [lease.token]
            return checksTokens ? earlier.first ?? lease.token : lease.token
        }
        guard let made else { throw Overtaken() }
        return made
    }

    /// How many transactions made an order again: where tokens are checked, a second one under the same token, which
    /// nobody could tell from the first.
    var repeatedEffects: Int {
        tokens.withLock { tokens in
            tokens.values.reduce(0) { $0 + $1.count - (checksTokens ? Set($1).count : 1) }
        }
    }
}
