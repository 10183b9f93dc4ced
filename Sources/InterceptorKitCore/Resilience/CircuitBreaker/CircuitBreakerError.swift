/// An error for a call that a circuit breaker rejected. Nothing was sent.
public struct CircuitBreakerError: CodedError, Sendable, AttemptHistory {
    /// The reason for the rejection.
    public struct Code: ErrorCode {
        public let description: String

        /// Too many calls to the authority failed or were slow.
        public static let open = Code(description: "open")
        /// The authority was isolated by hand, or every one by the mode ``CircuitBreaker/Mode/isolated``.
        public static let isolated = Code(description: "isolated")
    }

    /// The kind of rejection.
    public let code: Code
    /// The authority of the call; `nil` for inputs without one.
    public let authority: String?
    /// The time until a call may be let through; `nil` for an authority that is isolated until it is reset, or until
    /// the breaker's mode changes.
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

    /// - Parameter event: The end of an isolation that has no time, after "until".
    static func isolated(
        _ authority: String?,
        retryAfter: Duration? = nil,
        until event: String = "it is reset"
    ) -> Self {
        let end = retryAfter.map { "for another \($0.formattedSeconds)" } ?? "until \(event)"
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
