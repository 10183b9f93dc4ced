/// An error for a pipeline that could not be built.
public struct PipelineError: CodedError, Sendable {
    /// The kind of mistake.
    public struct Code: ErrorCode {
        public let description: String

        /// Two interceptors stand in the wrong order.
        public static let order = Code(description: "order")
        /// The bounds of a placement, or of two together, contradict each other.
        public static let contradiction = Code(description: "contradiction")
        /// Two interceptors that send more than once would multiply each other.
        public static let repeated = Code(description: "repeated")
        /// An interceptor's settings cannot work.
        public static let invalidSetting = Code(description: "invalidSetting")
        /// Containers are nested too deeply, probably because one contains itself.
        public static let nesting = Code(description: "nesting")
    }

    public let code: Code
    /// What is wrong, why it matters and what to do, in whole sentences.
    public let message: String
    /// The interceptor's own error, if its `validate()` threw.
    public let cause: (any Error)?

    /// Creates an error, for example for your own composition or settings.
    /// - Parameters:
    ///   - code: The kind of mistake.
    ///   - message: What is wrong, why it matters and what to do, in whole sentences.
    ///   - cause: The error that an interceptor threw. Defaults to none.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension PipelineError {
    /// The message, with anything that looks like a secret hidden.
    public var description: String { Redaction.standard.text(message) }
}
