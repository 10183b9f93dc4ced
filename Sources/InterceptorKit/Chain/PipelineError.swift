/// Why a pipeline could not be built.
public struct PipelineError: Error, Sendable {
    /// The kind of mistake.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Two interceptors stand in an order that would misbehave.
        public static let order = Code(description: "order")
        /// The bounds of a placement, or of two together, cannot all be kept.
        public static let contradiction = Code(description: "contradiction")
        /// Two interceptors that repeat sends would multiply each other.
        public static let repeated = Code(description: "repeated")
        /// An interceptor's settings cannot work.
        public static let invalidSetting = Code(description: "invalidSetting")
        /// Containers are nested without an end in sight.
        public static let nesting = Code(description: "nesting")
    }

    /// The kind of mistake.
    public let code: Code
    /// What is wrong, why it matters and what to do, in whole sentences.
    public let message: String
    /// The interceptor's own error, if its `validate()` threw.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
