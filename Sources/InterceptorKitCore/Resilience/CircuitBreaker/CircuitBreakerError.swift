/// An error for a call that a circuit breaker rejected. Nothing was sent.
public struct CircuitBreakerError: CodedError, Sendable, AttemptHistory {
    /// The reason for the rejection.
    public struct Code: ErrorCode {
        public let description: String

        /// Too many calls to the authority failed or were slow.
        public static let open = Code(description: "open")
        /// The authority was isolated by hand.
        public static let isolated = Code(description: "isolated")
    }

    /// The kind of rejection.
    public let code: Code
    /// The authority of the call; `nil` for inputs without one.
    public let authority: String?
    /// The time until a call may be let through; `nil` for an authority that is isolated until it is reset.
    public let retryAfter: Duration?
    public let message: String
    /// The earlier attempts; empty if there were none.
    public var attempts: [Attempt] = []

    static func open(_ authority: String?, retryAfter: Duration, cause: String) -> Self {
        Self(
            code: .open,
            authority: authority,
            retryAfter: retryAfter,
            message: "The circuit breaker for \(authority ?? "these calls") is open: "
                + "\(cause). Nothing was sent; try again in \(retryAfter.formattedSeconds)."
        )
    }

    static func isolated(_ authority: String?, retryAfter: Duration? = nil) -> Self {
        let end = retryAfter.map { "for another \($0.formattedSeconds)" } ?? "until it is reset"
        return Self(
            code: .isolated,
            authority: authority,
            retryAfter: retryAfter,
            message: "The circuit breaker for \(authority ?? "these calls") was isolated by hand. "
                + "Nothing was sent, and nothing will be \(end)."
        )
    }
}

extension CircuitBreakerError: ClassifiedError {
    /// Rejected locally, with the time until a call may be let through.
    public var classification: Classification {
        Classification(
            .rejected,
            reason: "circuit breaker \(code)",
            retryAfter: retryAfter,
            isUnsent: true
        )
    }
}
