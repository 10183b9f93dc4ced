/// An error for a pipeline that could not be built.
public struct PipelineError: CodedError, Sendable {
    /// The kind of mistake.
    public struct Code: ErrorCode {
        public let description: String

        /// Two interceptors stand in the wrong order.
        public static let order = Code(description: "order")
        /// The bounds of one placement, or of two together, contradict each other.
        public static let contradiction = Code(description: "contradiction")
        /// Two interceptors that each send more than once would multiply the sends.
        public static let repeated = Code(description: "repeated")
        /// An interceptor's settings cannot work.
        public static let invalidSetting = Code(description: "invalidSetting")
        /// Containers are nested too deeply, probably because one contains itself.
        public static let nesting = Code(description: "nesting")
    }

    public let code: Code
    /// The mistake, its effect and the remedy, in whole sentences.
    public let message: String
    /// The interceptor's own error, if its `validate()` threw.
    public let cause: (any Error)?

    /// Creates an error, for example for your own composition or settings.
    /// - Parameters:
    ///   - code: The kind of mistake.
    /// - message: The mistake, its effect and the remedy, in whole sentences.
    ///   - cause: The error that an interceptor threw. Defaults to none.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension PipelineError {
    /// The message, with anything that looks like a secret redacted.
    public var description: String { Redaction.standard.text(message) }
}
