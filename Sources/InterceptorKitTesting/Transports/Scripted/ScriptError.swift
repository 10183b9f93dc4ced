public import InterceptorKit

/// A script that could not answer, or was not used up.
public struct ScriptError: CodedError, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = ScriptError

        public let description: String

        /// There are fewer replies than sends.
        public static let exhausted = Code(description: "script exhausted")
        /// Nothing in the script expects what was sent.
        public static let unmatched = Code(description: "unmatched")
        /// Something the script expects was never sent.
        public static let unused = Code(description: "unused")
        /// A step cannot be done as written.
        public static let invalidStep = Code(description: "invalid step")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in whole sentences.
    public let description: String
    /// The name of the expectation that comes nearest to what was sent, if there is one.
    public let nearest: String?
    /// What differs from it.
    public let differences: [ScriptDifference]

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened, in whole sentences.
    ///   - nearest: The expectation that comes nearest. Defaults to none.
    ///   - differences: What differs from it. Defaults to nothing.
    public init(
        _ code: Code,
        _ message: String,
        nearest: String? = nil,
        differences: [ScriptDifference] = []
    ) {
        self.code = code
        description = message
        self.nearest = nearest
        self.differences = differences
    }
}
