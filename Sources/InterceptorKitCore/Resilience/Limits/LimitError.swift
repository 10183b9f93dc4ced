/// An error for a call that a local limit rejected, or for an attempt that is not made because the program is shutting
/// down. Nothing was sent.
public struct LimitError: CodedError, Sendable, AttemptHistory {
    /// The kind of limit that rejected the call.
    public struct Code: ErrorCode {
        public let description: String

        /// The maximum number of calls is in flight, and the queue is full.
        public static let tooManyCalls = Code(description: "tooManyCalls")
        /// The maximum number of calls is in flight, and none ended while the call could wait.
        public static let waitedTooLong = Code(description: "waitedTooLong")
        /// The call's turn would not come before its deadline.
        public static let rate = Code(description: "rate")
        /// The limit is kept elsewhere, and its keeper cannot be reached.
        public static let unavailable = Code(description: "unavailable")
        /// An attempt failed, and no other is made because the program is shutting down.
        public static let shuttingDown = Code(description: "shuttingDown")
    }

    /// The kind of limit.
    public let code: Code
    /// The authority of the call; `nil` for inputs without one, or for a limit on all calls.
    public let authority: String?
    /// The time until the limit would allow a call; `nil` if unknown.
    public let retryAfter: Duration?
    public let message: String
    /// The earlier attempts; empty if there were none.
    public var attempts: [Attempt] = []

    /// Creates an error, for a limit of your own.
    /// - Parameters:
    ///   - code: The kind of limit.
    ///   - authority: The authority of the call; `nil` for inputs without one, or for a limit on all calls.
    ///   - retryAfter: The time until the limit would allow a call. Defaults to unknown.
    /// - message: The failure and the remedy, in whole sentences.
    public init(
        _ code: Code,
        _ authority: String?,
        retryAfter: Duration? = nil,
        _ message: String
    ) {
        self.code = code
        self.authority = authority
        self.retryAfter = retryAfter
        self.message = message
    }
}

extension LimitError: ClassifiedError {
    /// Rejected locally, with the time until the limit would allow a call. On shutdown, an earlier attempt may have
    /// reached the server.
    public var classification: Classification {
        let isShutdown = code == .shuttingDown
        return Classification(
            .rejected,
            reason: isShutdown ? "shutting down" : "limit \(code)",
            retryAfter: retryAfter,
            isUnsent: !isShutdown
        )
    }
}

extension Event.Name {
    /// A limit rejected a call locally: `reason` (the code of a ``LimitError``), `authority`, `retry_after`.
    public static let limitRejected: Self = "limit.rejected"
    /// A call waits for its turn: `authority`, and `delay` if known.
    public static let limitWaited: Self = "limit.waited"
    /// A server stated its rate limit: `authority`, `pause` or `remaining` and `resets_in`.
    public static let rateLearned: Self = "limit.rate_learned"
    /// An adaptive limit of this client changed: `authority`, `from`, `to`, rounded down, and `timeouts` among the last
    /// `attempts`, at most 20.
    public static let limitAdapted: Self = "limit.adapted"
}

extension Call {
    func reject(_ error: LimitError) -> LimitError {
        emit(.limitRejected, error.attributes)
        return error
    }
}

extension LimitError {
    fileprivate var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["reason": .text(code.description)]
        attributes.authority = authority
        attributes.retryAfter = retryAfter
        return attributes
    }
}
