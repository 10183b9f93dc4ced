public import InterceptorKit

extension HTTP {
    /// A model's output that broke off: what was received of it, and why.
    public struct ModelStreamError<Output: Sendable>: CodedError, Sendable {
        /// The parts that were received, in order, from the beginning.
        public let received: [Output]
        /// Whether all parts that were received are kept: see ``ModelStreamOptions/receivedLimit``.
        public let keepsAll: Bool
        let reason: any Error

        /// The error that broke it off.
        public var cause: (any Error)? { reason }

        /// The kind of failure, by its cause: ``StreamingError/Code/interrupted`` if the stream broke, was silent for too
        /// long, or ended before its end event, ``StreamingError/Code/reportedError`` if the server reported an error by
        /// an event, and ``StreamingError/Code/invalidEvent`` if an event was too large or the decoder refused it.
        public var code: StreamingError.Code {
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
