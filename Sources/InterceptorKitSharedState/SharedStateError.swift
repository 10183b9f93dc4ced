public import InterceptorKit

/// Why a store of shared state could not do what it was asked.
public struct SharedStateError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = SharedStateError

        public let description: String

        /// The server of the store cannot be reached, or refused to answer.
        public static let unreachable = Code(description: "unreachable")
        /// The store did not answer in time.
        public static let timedOut = Code(description: "timed out")
        /// What is stored under the record's name is something else.
        public static let malformedRecord = Code(description: "malformed record")
        /// The store has no room for another record.
        public static let full = Code(description: "full")
        /// The settings cannot work.
        public static let invalidSettings = Code(description: "invalid settings")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences without secrets.
    public let message: String
    /// The underlying error, if there is one.
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
        let mayPass = code == .unreachable || code == .timedOut || code == .full
        return mayPass ? .transient("store \(code)") : .permanent("store \(code)")
    }
}

extension SharedStateError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
