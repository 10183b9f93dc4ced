/// A call was not let through by a circuit breaker; nothing was sent.
public struct CircuitBreakerError: Error, Sendable, AttemptHistory {
    /// Why it was not let through.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Too many calls to the authority failed or were slow.
        public static let open = Code(description: "open")
        /// The authority was isolated by hand.
        public static let isolated = Code(description: "isolated")
    }

    /// Why it was not let through.
    public let code: Code
    /// Where the call would have gone; `nil` if its input cannot tell.
    public let authority: String?
    /// How long until a call may be let through; `nil` if that is up to whoever isolated the authority.
    public let retryAfter: Duration?
    /// What happened and what to do, in whole sentences.
    public let message: String
    /// What was tried, if there was more than one attempt.
    public var attempts: [Attempt] = []

    static func open(_ authority: String?, retryAfter: Duration, cause: String) -> Self {
        Self(
            code: .open,
            authority: authority,
            retryAfter: retryAfter,
            message: "The circuit breaker for \(authority ?? "these calls") is open, because "
                + "\(cause). Nothing was sent; try again in \(retryAfter.formattedSeconds)."
        )
    }

    static func isolated(_ authority: String?) -> Self {
        Self(
            code: .isolated,
            authority: authority,
            retryAfter: nil,
            message: "The circuit breaker for \(authority ?? "these calls") was isolated by hand. "
                + "Nothing was sent, and nothing will be until it is reset."
        )
    }
}

extension CircuitBreakerError: ClassifiedError {
    /// Rejected on this side, with the time until a call may be let through.
    public var classification: Classification {
        Classification(
            .rejected,
            reason: "circuit breaker \(code)",
            retryAfter: retryAfter,
            isUnsent: true
        )
    }
}

extension CircuitBreakerError: CustomStringConvertible {
    /// The message and what was tried.
    public var description: String {
        ([message] + attempts.map(\.description)).joined(separator: "\n")
    }
}
