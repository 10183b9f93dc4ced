/// A call was turned away by a limit of this side; nothing was sent.
public struct LimitError: Error, Sendable, AttemptHistory {
    /// Which limit turned it away.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// As many calls are under way as may be, and as many wait as may.
        public static let tooManyCalls = Code(description: "tooManyCalls")
        /// As many calls are under way as may be, and none ended in the time this one could wait.
        public static let waitedTooLong = Code(description: "waitedTooLong")
        /// Its turn would not come in the time it has.
        public static let rate = Code(description: "rate")
        /// The other side turned away too many calls lately.
        public static let throttled = Code(description: "throttled")
    }

    /// Which limit turned it away.
    public let code: Code
    /// Where the call would have gone; `nil` if its input cannot tell, or for a limit on all calls.
    public let authority: String?
    /// How long until there would have been room; `nil` if nobody knows.
    public let retryAfter: Duration?
    /// What happened and what to do, in whole sentences.
    public let message: String
    /// What was tried, if there was more than one attempt.
    public var attempts: [Attempt] = []

    init(_ code: Code, _ authority: String?, retryAfter: Duration? = nil, _ message: String) {
        self.code = code
        self.authority = authority
        self.retryAfter = retryAfter
        self.message = message
    }
}

extension LimitError: ClassifiedError {
    /// Rejected on this side, with the time until there would have been room.
    public var classification: Classification {
        Classification(
            .rejected,
            reason: "limit \(code)",
            retryAfter: retryAfter,
            isUnsent: true
        )
    }
}

extension LimitError: CustomStringConvertible {
    /// The message and what was tried.
    public var description: String {
        ([message] + attempts.map(\.description)).joined(separator: "\n")
    }
}

extension Event.Name {
    /// A call was turned away by a limit of this side: `reason` (the code of a ``LimitError``), `authority`,
    /// `retry_after`.
    public static let limitRejected: Self = "limit.rejected"
    /// A call waits for its turn: `authority`, and `delay` where it is known.
    public static let limitWaited: Self = "limit.waited"
    /// The other side said how much it may be asked: `authority`, `pause` or `remaining` and `resets_in`.
    public static let rateLearned: Self = "limit.rate_learned"
    /// An adaptive limit changed: `authority`, `from`, `to`.
    public static let limitAdapted: Self = "limit.adapted"
}

extension Call {
    /// Reports that a limit turned this call away.
    func reject(_ error: LimitError, from source: String) -> LimitError {
        emit(.limitRejected, from: source, error.attributes)
        return error
    }
}

extension LimitError {
    fileprivate var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["reason": .text(code.description)]
        if let authority { attributes["authority"] = .text(authority) }
        if let retryAfter { attributes["retry_after"] = .duration(retryAfter) }
        return attributes
    }
}
