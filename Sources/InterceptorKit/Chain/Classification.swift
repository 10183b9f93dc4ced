/// What an outcome means to those who must act on it.
public struct Classification: Sendable, Hashable {
    /// The classes an outcome falls into.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// It worked.
        public static let success = Kind(description: "success")
        /// It failed in a way that another try may not.
        public static let transient = Kind(description: "transient")
        /// The other side asked for fewer or later calls.
        public static let throttled = Kind(description: "throttled")
        /// It was turned away on this side, as by an open circuit breaker or a limit; the other side was
        /// not asked.
        public static let rejected = Kind(description: "rejected")
        /// The credential is missing, expired or revoked; a new one may help.
        public static let unauthorized = Kind(description: "unauthorized")
        /// Another try would fail the same way.
        public static let permanent = Kind(description: "permanent")

        /// Whether the other side failed or asked for fewer calls.
        var isFailureOverThere: Bool { self == .transient || self == .throttled }
    }

    /// The class.
    public var kind: Kind
    /// Why, in a few words without secrets, as in `503 Service Unavailable`.
    public var reason: String
    /// How long the other side asked to wait.
    public var retryAfter: Duration?
    /// Whether the input certainly never reached the other side, so that sending it again is safe
    /// whatever it is.
    public var isUnsent: Bool
    /// Whether the input came back unprocessed from a way that could not take it, so that sending it
    /// again at once, by another, is likely to work: a kept connection that had been closed, HTTP/2's
    /// GOAWAY and REFUSED_STREAM. True only of what is unsent, and not of one that cannot connect at
    /// all.
    public var isHandedBack: Bool

    /// Creates a classification.
    /// - Parameters:
    ///   - kind: The class.
    ///   - reason: Why, in a few words without secrets.
    ///   - retryAfter: How long the other side asked to wait. Defaults to no wish.
    ///   - isUnsent: Whether the input certainly never reached the other side. Defaults to `false`.
    ///   - isHandedBack: Whether sending it again at once is likely to work; only if it is unsent.
    ///     Defaults to `false`.
    public init(
        _ kind: Kind,
        reason: String,
        retryAfter: Duration? = nil,
        isUnsent: Bool = false,
        isHandedBack: Bool = false
    ) {
        self.kind = kind
        self.reason = reason
        self.retryAfter = retryAfter
        self.isUnsent = isUnsent
        self.isHandedBack = isUnsent && isHandedBack
    }

    /// It worked.
    public static let success = Classification(.success, reason: "success")

    /// It failed in a way that another try may not.
    public static func transient(_ reason: String) -> Classification {
        Classification(.transient, reason: reason)
    }

    /// Another try would fail the same way.
    public static func permanent(_ reason: String) -> Classification {
        Classification(.permanent, reason: reason)
    }
}
