/// The meaning of an outcome, for interceptors that act on it.
public struct Classification: Sendable, Hashable {
    /// A class of outcomes.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// The call succeeded.
        public static let success = Kind(description: "success")
        /// The attempt failed, and another attempt may succeed.
        public static let transient = Kind(description: "transient")
        /// The server asked for fewer or later calls.
        public static let throttled = Kind(description: "throttled")
        /// The call was rejected locally, for example by an open circuit breaker or a limit, and not sent.
        public static let rejected = Kind(description: "rejected")
        /// The credential is missing, expired or revoked; a new credential may help.
        public static let unauthorized = Kind(description: "unauthorized")
        /// Another attempt would fail the same way.
        public static let permanent = Kind(description: "permanent")

        /// Whether the server failed or asked for fewer calls.
        var isServerFailure: Bool { self == .transient || self == .throttled }
    }

    /// The class of the outcome.
    public var kind: Kind
    /// The reason in a few words without secrets, as in `503 Service Unavailable`.
    public var reason: String
    /// The wait that the server asked for.
    public var retryAfter: Duration?
    /// Whether the input is known to be unsent, so that any input can be sent again safely.
    public var isUnsent: Bool
    /// Whether the server or connection returned the input unprocessed, so that sending it again at once is
    /// likely to succeed (gRPC's transparent retry).
    ///
    /// True for a reused connection that the server had already closed, and for HTTP/2's GOAWAY and REFUSED_STREAM.
    /// Implies ``isUnsent``. False if no connection could be made.
    public var isReturnedUnprocessed: Bool
    /// Whether no response came in time, which is a sign of an overloaded server.
    public var isTimeout: Bool

    /// Creates a classification.
    /// - Parameters:
    ///   - kind: The class.
    ///   - reason: The reason, in a few words without secrets.
    ///   - retryAfter: The wait that the server asked for. Defaults to none.
    ///   - isUnsent: Whether the input is known to be unsent. Defaults to `false`.
    ///   - isReturnedUnprocessed: Whether the input was returned unprocessed, so that another send at once is likely to
    ///     succeed. Ignored unless `isUnsent` is true. Defaults to `false`.
    ///   - isTimeout: Whether no response came in time. Defaults to `false`.
    public init(
        _ kind: Kind,
        reason: String,
        retryAfter: Duration? = nil,
        isUnsent: Bool = false,
        isReturnedUnprocessed: Bool = false,
        isTimeout: Bool = false
    ) {
        self.kind = kind
        self.reason = reason
        self.retryAfter = retryAfter
        self.isUnsent = isUnsent
        self.isReturnedUnprocessed = isUnsent && isReturnedUnprocessed
        self.isTimeout = isTimeout
    }

    /// The classification of a success.
    public static let success = Classification(.success, reason: "success")

    /// Returns a classification of a failure after which another attempt may succeed.
    public static func transient(_ reason: String) -> Classification {
        Classification(.transient, reason: reason)
    }

    /// Returns a classification of a failure that another attempt would repeat.
    public static func permanent(_ reason: String) -> Classification {
        Classification(.permanent, reason: reason)
    }
}
