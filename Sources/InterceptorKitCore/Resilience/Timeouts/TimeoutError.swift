/// Something took longer than it was given, and was ended.
public struct TimeoutError: CodedError, Sendable, AttemptHistory {
    /// What took too long.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = TimeoutError

        public let description: String

        /// One attempt. Another may be quicker.
        public static let attempt = Code(description: "attempt")
        /// The whole call. No time is left for another attempt.
        public static let total = Code(description: "total")
        /// A body of which no byte came for too long.
        public static let bodyIdle = Code(description: "bodyIdle")
        /// A body that came more slowly than the minimum rate.
        public static let bodyRate = Code(description: "bodyRate")
        /// A body that was waited for too long in all.
        public static let bodyTotal = Code(description: "bodyTotal")
    }

    /// What took too long.
    public let code: Code
    /// The time it was given; of a slow body, the time over which its rate is measured.
    public let limit: Duration
    /// The bytes a second that a body had to bring, if it was too slow.
    public let minimumRate: Int?
    /// The error that the work threw when it was ended, if it says more than a cancellation.
    public let cause: (any Error)?
    /// Every attempt that was made, the first included.
    public var attempts: [Attempt] {
        get { recorded.isEmpty ? [Attempt(number: 1, reason: "\(code) timeout")] : recorded }
        set { recorded = newValue }
    }

    private var recorded: [Attempt] = []

    /// Creates an error.
    /// - Parameters:
    ///   - code: What took too long.
    ///   - limit: The time it was given.
    ///   - minimumRate: The bytes a second that a body had to bring, if it was too slow. Defaults to
    ///     `nil`.
    ///   - cause: The error that the work threw when it was ended. Defaults to none.
    public init(
        _ code: Code,
        limit: Duration,
        minimumRate: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.limit = limit
        self.minimumRate = minimumRate
        self.cause = cause
    }

    /// What happened and what to do, in whole sentences.
    public var message: String {
        let limit = limit.formattedSeconds
        return switch code {
        case .attempt: "The attempt was not answered within \(limit) and was ended."
        case .total:
            "The call was not over within the \(limit) it had, attempts and waits included, and was "
                + "ended. Give calls more time, or fewer attempts."
        case .bodyIdle: "No byte of the body came for \(limit), so it was given up."
        case .bodyRate:
            "The body came at less than \(minimumRate.map(String.init) ?? "the wanted") bytes a second for "
                + "\(limit), so it was given up. Ask for a smaller minimum rate, or for none, if it is "
                + "meant to drip."
        case .bodyTotal:
            "The body was not complete after its reader had waited for \(limit), so it was given up."
        default: "\(code) was not over within \(limit) and was ended."
        }
    }
}

extension TimeoutError: ClassifiedError {
    /// Transient for an attempt, and permanent for what leaves no time.
    public var classification: Classification {
        Classification(
            code == .attempt ? .transient : .permanent,
            reason: "\(code) timeout",
            isUnsent: (cause as? any ClassifiedError)?.classification.isUnsent ?? false
        )
    }
}

extension TimeoutError: CustomStringConvertible {
    /// The message and what was tried; the cause stays a value.
    public var description: String {
        attempts.lines(after: message)
    }
}

extension TimeoutError: CustomReflectable {
    /// What took too long, the description and the cause's type.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}
