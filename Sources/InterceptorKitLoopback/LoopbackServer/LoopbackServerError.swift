public import InterceptorKit

/// An error of the loopback server itself or of a wait for it.
public struct LoopbackServerError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = LoopbackServerError

        public let description: String

        /// No socket could be opened, bound or listened on, or no thread started.
        public static let cannotStart = Code(description: "cannot start")
        /// The awaited event did not come in time.
        public static let timedOut = Code(description: "timed out")
        /// The server stopped before the awaited event came.
        public static let stopped = Code(description: "stopped")
        /// A duration is negative.
        public static let invalidDuration = Code(description: "invalid duration")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in whole sentences.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension LoopbackServerError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
