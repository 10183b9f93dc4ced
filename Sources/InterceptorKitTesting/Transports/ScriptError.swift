/// A script that could not answer.
public struct ScriptError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// There are fewer replies than sends.
        public static let exhausted = Code(description: "script exhausted")
        /// A step cannot be done as written.
        public static let invalidStep = Code(description: "invalid step")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in whole sentences.
    public let description: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened, in whole sentences.
    public init(_ code: Code, _ message: String) {
        self.code = code
        description = message
    }
}
