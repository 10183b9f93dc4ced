/// An error for an interceptor that broke a rule it declared to keep.
public struct ChainError: CodedError, Sendable, Hashable {
    /// The rule that an interceptor broke.
    public struct Code: ErrorCode {
        public let description: String

        /// The interceptor did not proceed exactly once.
        public static let proceedCount = Code(description: "proceedCount")
        /// The interceptor sent the input to another server.
        public static let changedAuthority = Code(description: "changedAuthority")
        /// The interceptor changed the call's deadline.
        public static let changedDeadline = Code(description: "changedDeadline")
    }

    /// The rule that was broken.
    public let code: Code
    /// The interceptor and the rule, in a whole sentence.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
