public import InterceptorKit

extension HTTP {
    /// A model's output that broke off: what was received of it, and why.
    public struct ModelStreamError<Output: Sendable>: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// The stream broke, was silent for too long, or ended before its end event.
            public static var interrupted: Code { Code(description: "interrupted") }
            /// The server reported an error by an event.
            public static var reportedError: Code { Code(description: "reportedError") }
            /// An event was too large, or the decoder refused it.
            public static var invalidEvent: Code { Code(description: "invalidEvent") }
        }

        /// The parts that were received, in order, from the beginning.
        public let received: [Output]
        /// Whether all parts that were received are kept: see ``ModelStreamOptions/receivedLimit``.
        public let keepsAll: Bool
        let reason: any Error

        /// The error that broke it off.
        public var cause: (any Error)? { reason }

        /// The kind of failure, by its cause.
        public var code: Code {
            switch reason {
            case StreamingError.Code.reportedError: .reportedError
            case StreamingError.Code.closed, is TransportError, is TimeoutError: .interrupted
            default: .invalidEvent
            }
        }
    }
}

extension HTTP.ModelStreamError {
    /// What happened, without what was received.
    public var message: String {
        "The output broke off after \(received.count)\(keepsAll ? "" : " or more") parts. \(reason)"
    }
}
