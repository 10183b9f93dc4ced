#if ServiceLifecycle
public import InterceptorKit

/// An error for a call that isn't sent again, because the program is shutting down.
public struct ShutdownError: CodedError, AttemptHistory, Sendable {
    /// What is not done any more.
    public struct Code: ErrorCode {
        public let description: String

        /// No other attempt is made.
        public static let notSentAgain = Code(description: "notSentAgain")
    }

    /// What is not done any more.
    public let code: Code
    public let message: String
    /// The attempts that were made, and at the end the one that was not sent.
    public var attempts: [Attempt] = []

    static let notSentAgain = ShutdownError(
        code: .notSentAgain,
        message:
            "An attempt failed, and no other is made because the program is shutting down. Let another "
            + "instance make the call again."
    )
}

extension ShutdownError: ClassifiedError {
    /// Rejected locally, although earlier attempts may have arrived.
    public var classification: Classification {
        Classification(.rejected, reason: "shutting down")
    }
}
#endif
