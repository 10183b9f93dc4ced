import InterceptorKit

/// The key of a record in an ``IdempotencyStore``: a client's key, with the principal and route that it is valid for.
///
/// Two principals that choose the same key have two records, and so has one principal on two routes.
public struct IdempotencyRecordKey: Sendable, Hashable {
    /// The sender of the request, such as a user's or a tenant's id.
    public let principal: String
    /// The requested operation, as in `POST /orders`.
    public let route: String
    /// The value of `Idempotency-Key`.
    public let key: String

    /// Creates a key.
    /// - Parameters:
    ///   - principal: The sender of the request.
    ///   - route: The requested operation.
    ///   - key: The client's key.
    public init(principal: String, route: String, key: String) {
        self.principal = principal
        self.route = route
        self.key = key
    }

    /// The name for a store: 64 hexadecimal digits, whatever a client sends, which reveal nothing.
    ///
    /// It is SHA-256 of the three parts, each after its length, so that no two keys share a name.
    public var name: String { Self.digest(of: [principal, route, key]) }

    /// The name under which a store counts the principal's records: 64 hexadecimal digits.
    public var principalName: String { Self.digest(of: [principal]) }

    private static func digest(of parts: [String]) -> String {
        var hash = RunningHash(.sha256)
        for part in parts {
            hash.update("\(part.utf8.count):".utf8)
            hash.update(part.utf8)
        }
        return hash.finalize().hexadecimal
    }
}

extension IdempotencyRecordKey: CustomStringConvertible {
    /// The route and the start of the ``name``, as in `POST /orders, record 2c26b46b`; no principal and no client's
    /// key.
    public var description: String { "\(route), record \(name.prefix(8))" }
}

extension IdempotencyRecordKey: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["record": description]) }
}
