/// A failure of the way to the other side, in one vocabulary for every transport and platform.
public struct TransportError: Error, Sendable, AttemptHistory {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// The host's name has no address.
        public static let nameNotResolved = Code(description: "name not resolved")
        /// No connection could be made.
        public static let cannotConnect = Code(description: "cannot connect")
        /// TLS failed: handshake, trust, certificate.
        public static let tls = Code(description: "TLS failure")
        /// The connection broke before the answer was complete.
        public static let connectionLost = Code(description: "connection lost")
        /// The answer was not valid.
        public static let protocolViolation = Code(description: "protocol violation")
        /// The answer did not come in time.
        public static let timedOut = Code(description: "timed out")
        /// The answer's reader was too slow and the transport's buffer is bounded.
        public static let readerTooSlow = Code(description: "reader too slow")
        /// What does not fit into memory could not be kept in a temporary file.
        public static let storage = Code(description: "no temporary storage")
        /// The transport was closed.
        public static let closed = Code(description: "transport closed")
        /// Anything else; ``TransportError/cause`` tells more.
        public static let other = Code(description: "transport failure")
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, in whole sentences without secrets.
    public var message: String
    /// Whether the input certainly never reached the other side, so that sending it again is safe
    /// whatever it is.
    public var isCertainlyUnsent: Bool
    /// The engine's own error.
    public var cause: (any Error)?
    /// What was tried, if there was more than one attempt.
    public var attempts: [Attempt] = []

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened, in whole sentences without secrets.
    ///   - isCertainlyUnsent: Whether the input certainly never reached the other side. Defaults to
    ///     `false`.
    ///   - cause: The engine's own error.
    public init(
        _ code: Code,
        _ message: String,
        isCertainlyUnsent: Bool = false,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.isCertainlyUnsent = isCertainlyUnsent
        self.cause = cause
    }
}
