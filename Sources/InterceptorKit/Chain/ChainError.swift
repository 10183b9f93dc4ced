/// An interceptor broke a rule it declared to keep.
public struct ChainError: Error, Sendable, Hashable {
    /// The rule.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// It did not proceed exactly once.
        public static let proceedCount = Code(description: "proceedCount")
        /// It sent the input elsewhere.
        public static let changedAuthority = Code(description: "changedAuthority")
        /// It changed the call's deadline.
        public static let changedDeadline = Code(description: "changedDeadline")
    }

    /// The rule.
    public let code: Code
    /// The interceptor and the rule, in a whole sentence.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ChainError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
