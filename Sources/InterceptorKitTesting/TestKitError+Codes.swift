public import InterceptorKit

/// An error for a script that had no reply, or was not used up.
public struct ScriptError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// There are fewer replies than sends.
        public static let exhausted = Code(description: "exhausted")
        /// No expectation in the script matches the input.
        public static let unmatched = Code(description: "unmatched")
        /// An expected input was never sent.
        public static let unused = Code(description: "unused")
        /// A step is invalid.
        public static let invalidStep = Code(description: "invalidStep")
    }

    public let code: Code
    public let message: String
    /// The name of the expectation nearest to the input, if there is one.
    public let nearest: String?
    /// The differences from that expectation.
    public let differences: [ScriptDifference]

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened, in whole sentences.
    ///   - nearest: The nearest expectation. Defaults to none.
    ///   - differences: The differences from it. Defaults to none.
    public init(
        _ code: Code,
        _ message: String,
        nearest: String? = nil,
        differences: [ScriptDifference] = []
    ) {
        self.code = code
        self.message = message
        self.nearest = nearest
        self.differences = differences
    }
}
