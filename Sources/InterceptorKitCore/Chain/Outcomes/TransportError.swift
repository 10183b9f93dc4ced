/// A transport failure, described in the same terms by every engine and platform.
public struct TransportError: CodedError, Sendable, AttemptHistory {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The host's name could not be resolved.
        public static let nameNotResolved = Code(description: "nameNotResolved")
        /// No connection could be made.
        public static let cannotConnect = Code(description: "cannotConnect")
        /// The proxy refused to connect to the server, for example because it requires credentials.
        public static let proxyRefused = Code(description: "proxyRefused")
        /// TLS failed: handshake, trust or certificate.
        public static let tls = Code(description: "tls")
        /// The connection broke before the response was complete.
        public static let connectionLost = Code(description: "connectionLost")
        /// The response violates the protocol.
        public static let protocolViolation = Code(description: "protocolViolation")
        /// The response did not arrive within the engine's own timeout.
        ///
        /// A ``TimeoutInterceptor`` throws a ``TimeoutError`` instead; HTTP's pattern `timedOut` matches both.
        public static let timedOut = Code(description: "timedOut")
        /// The response's reader was too slow for the transport's bounded buffer.
        public static let readerTooSlow = Code(description: "readerTooSlow")
        /// A body that doesn't fit into memory could not be stored in a temporary file.
        public static let storage = Code(description: "storage")
        /// The engine is missing, or cannot do what the input or the call asks for. Nothing was sent.
        public static let unsupported = Code(description: "unsupported")
        /// The transport was closed.
        public static let closed = Code(description: "closed")
        /// Another failure; see ``TransportError/cause``.
        public static let other = Code(description: "other")
    }

    public var code: Code
    public var message: String
    /// Whether the input is known to be unsent, so that even one that is not idempotent can be sent again safely.
    public var isUnsent: Bool
    /// The engine's own error.
    public var cause: (any Error)?
    /// All attempts, including the first.
    public var attempts: [Attempt] {
        get { recorded.isEmpty ? [Attempt(number: 1, reason: code.description)] : recorded }
        set { recorded = newValue }
    }

    private var recorded: [Attempt] = []

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    /// - message: The failure, in whole sentences without secrets.
    ///   - isUnsent: Whether the input is known not to have reached the server. Defaults to `false`.
    ///   - cause: The engine's own error.
    public init(
        _ code: Code,
        _ message: String,
        isUnsent: Bool = false,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.isUnsent = isUnsent
        self.cause = cause
    }
}

extension TransportError {
    /// The message, with anything that looks like a secret redacted, and the attempts. The cause isn't included,
    /// because engines put URLs into their errors.
    public var description: String {
        attempts.lines(after: Redaction.standard.text(message))
    }
}

extension TransportError: ClassifiedError {
    /// The classification of a transport failure: TLS failures, a proxy's refusal, a closed transport and unsupported
    /// features are permanent; any other failure is transient.
    public var classification: Classification {
        let kind: Classification.Kind =
            switch code {
            case .tls, .proxyRefused, .closed, .unsupported: .permanent
            default: .transient
            }
        return Classification(
            kind,
            reason: code.description,
            isUnsent: isUnsent,
            // Not for `cannotConnect`: an immediate retry would fail too.
            isReturnedUnprocessed: code == .connectionLost || code == .protocolViolation,
            isTimeout: code == .timedOut
        )
    }
}

/// The errors of every transport for an input that it did not begin to send.
extension TransportError {
    /// Returns the error for a transport that was closed before the send.
    /// - Parameter host: The host, as events and messages may show it.
    public static func closedBeforeSending(host: String) -> TransportError {
        TransportError(
            .closed,
            "The transport is closed; nothing was sent to \(host). Make a new transport.",
            isUnsent: true
        )
    }

    /// Returns the error for a deadline that passed before the send.
    /// - Parameter host: The host, as events and messages may show it.
    public static func deadlinePassedBeforeSending(host: String) -> TransportError {
        TransportError(
            .timedOut,
            "The call's deadline passed before anything was sent to \(host).",
            isUnsent: true
        )
    }
}
