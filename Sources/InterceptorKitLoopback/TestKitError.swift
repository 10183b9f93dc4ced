public import InterceptorKit

/// An error of the loopback server itself or of a wait for it.
public struct LoopbackServerError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// No socket could be opened, bound or listened on, or no thread started.
        public static let cannotStart = Code(description: "cannotStart")
        /// The awaited event did not come in time.
        public static let timedOut = Code(description: "timedOut")
        /// The server stopped before the awaited event came.
        public static let stopped = Code(description: "stopped")
    }

    public let code: Code
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
