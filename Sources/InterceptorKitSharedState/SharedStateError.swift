public import InterceptorKit

/// Why a store of shared state could not do what it was asked.
public struct SharedStateError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The server of the store cannot be reached, or refused to answer.
        public static let unreachable = Code(description: "unreachable")
        /// The store did not answer in time.
        public static let timedOut = Code(description: "timedOut")
        /// What is stored under the record's name is something else.
        public static let malformedRecord = Code(description: "malformedRecord")
        /// The store has no room for another record.
        public static let full = Code(description: "full")
        /// The server's response is invalid, or too large.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// A watch of the store ended before its time.
        public static let watchEnded = Code(description: "watchEnded")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    /// Creates an error, for a store.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened and what to do, in whole sentences without secrets.
    ///   - cause: The underlying error. Defaults to none.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension SharedStateError: ClassifiedError {
    /// Transient where the store may answer or have room later, permanent where somebody must change something.
    public var classification: Classification {
        let mayPass = [.unreachable, .timedOut, .full, .watchEnded].contains(code)
        return mayPass ? .transient("store \(code)") : .permanent("store \(code)")
    }
}
