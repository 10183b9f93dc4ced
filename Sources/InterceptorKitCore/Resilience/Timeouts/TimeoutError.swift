/// An error for work that exceeded its time limit and was ended.
public struct TimeoutError: CodedError, Sendable, AttemptHistory {
    /// The work that took too long.
    public struct Code: ErrorCode {
        public let description: String

        /// One attempt took too long. Another may be quicker.
        public static let attempt = Code(description: "attempt")
        /// The whole call took too long. No time is left for another attempt.
        public static let total = Code(description: "total")
        /// No byte of a body arrived for too long.
        public static let bodyIdle = Code(description: "bodyIdle")
        /// A body arrived more slowly than the minimum rate.
        public static let bodyRate = Code(description: "bodyRate")
        /// All waits for a body together took too long.
        public static let bodyTotal = Code(description: "bodyTotal")
    }

    /// The work that took too long.
    public let code: Code
    /// The time limit; for a slow body, the time over which its rate is measured.
    public let limit: Duration
    /// The minimum rate of the body in bytes per second, if it was too slow.
    public let minimumRate: Int?
    /// The destination of the input, as in `https://api.example.com`; `nil` if unknown.
    public let authority: String?
    /// The source of the limit, as in `TimeoutInterceptor(total:)`, `Call.totalTimeout`, or, in words, the call's
    /// deadline; `nil` if unknown.
    public let limitSource: String?
    /// The error that the ended work threw, if it says more than a cancellation.
    public let cause: (any Error)?
    /// All attempts, including the first.
    public var attempts: [Attempt] {
        get { recorded.isEmpty ? [Attempt(number: 1, reason: "\(code) timeout")] : recorded }
        set { recorded = newValue }
    }

    private var recorded: [Attempt] = []

    /// Creates an error.
    /// - Parameters:
    ///   - code: The work that took too long.
    ///   - limit: The time limit.
    /// - minimumRate: The minimum rate of the body in bytes per second, if it was too slow. Defaults to `nil`.
    ///   - authority: The destination of the input. Defaults to unknown.
    ///   - limitSource: The source of the limit. Defaults to unknown.
    ///   - cause: The error that the ended work threw. Defaults to none.
    public init(
        _ code: Code,
        limit: Duration,
        minimumRate: Int? = nil,
        authority: String? = nil,
        limitSource: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.limit = limit
        self.minimumRate = minimumRate
        self.authority = authority
        self.limitSource = limitSource
        self.cause = cause
    }

    /// - Parameter history: The attempts, if there were more than the one that was ended.
    func caused(by cause: (any Error)?, after history: (any AttemptHistory)?) -> TimeoutError {
        var error = TimeoutError(
            code,
            limit: limit,
            minimumRate: minimumRate,
            authority: authority,
            limitSource: limitSource,
            cause: cause
        )
        if let history, history.attempts.isHistory { error.attempts = history.attempts }
        return error
    }

    /// The failure and the remedy, in whole sentences.
    public var message: String {
        let limit = limit.formattedSeconds + (limitSource.map { " (\($0))" } ?? "")
        let place = authority.map { " to \($0)" } ?? ""
        let origin = authority.map { " from \($0)" } ?? ""
        return switch code {
        case .attempt: "The attempt\(place) was not answered within \(limit) and was ended."
        case .total:
            "The call\(place) did not end within \(limit), attempts and waits included, and was "
                + "ended. Give calls more time, or fewer attempts."
        case .bodyIdle: "No byte of the body\(origin) arrived for \(limit), so the read was ended."
        case .bodyRate:
            "The body\(origin) arrived at less than \(minimumRate.map(String.init) ?? "the wanted") bytes a second for "
                + "\(limit), so the read was ended. Set a smaller minimum rate, or none, if it is "
                + "meant to drip."
        case .bodyTotal:
            "The body\(origin) was not complete after \(limit) of waiting, so the read was ended."
        default: "\(code)\(place) was not over within \(limit) and was ended."
        }
    }
}

extension TimeoutError: ClassifiedError {
    /// Transient for an attempt; permanent if no time is left.
    public var classification: Classification {
        Classification(
            code == .attempt ? .transient : .permanent,
            reason: "\(code) timeout",
            isUnsent: (cause as? any ClassifiedError)?.classification.isUnsent ?? false,
            isTimeout: true
        )
    }
}
