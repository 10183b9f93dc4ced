import InterceptorKitConcurrency
import InterceptorKitSharedState
import Synchronization

/// What the handlers of a fleet change: orders, each with the record and the token that it was made under.
final class Database: Sendable {
    /// The transaction of a holder that another has overtaken.
    struct Overtaken: Error {}

    private struct Row {
        var tokens: [Int64] = []
        var lastToken: Int64 = 0
    }

    private let rows = Lock<[String: Row]>([:])
    private let checksTokens: Bool

    /// - Parameter checksTokens: Whether a transaction looks for an order of the same record, and refuses a
    ///   token that is smaller than the last one. Defaults to `true`.
    init(checksTokens: Bool = true) { self.checksTokens = checksTokens }

    /// Makes the order of a request, unless it is there, in one transaction.
    /// - Returns: The token that the order was made under.
    func commit(_ lease: IdempotencyLease) throws(Overtaken) -> Int64 {
        let made: Int64? = rows.withLock { rows in
            var row = rows[lease.key.name, default: Row()]
            if checksTokens {
                if lease.token < row.lastToken { return nil }
                row.lastToken = lease.token
                if let made = row.tokens.first {
                    rows[lease.key.name] = row
                    return made
                }
            }
            row.tokens.append(lease.token)
            rows[lease.key.name] = row
            return lease.token
        }
        guard let made else { throw Overtaken() }
        return made
    }

    /// How many orders were made beyond the first of a request.
    var repeatedEffects: Int {
        rows.withLock { $0.values.reduce(0) { $0 + max(0, $1.tokens.count - 1) } }
    }
}
