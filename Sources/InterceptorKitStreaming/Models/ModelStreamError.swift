public import InterceptorKit

extension HTTP {
    /// An error for a model's output that broke off, with the parts that were received.
    public struct ModelStreamError<Output: Sendable>: CodedError, Sendable {
        /// The received parts, in order, from the beginning.
        public let received: [Output]
        /// Whether ``received`` has all received parts; see ``ModelStreamOptions/receivedLimit``.
        public let keepsAll: Bool
        let reason: any Error

        /// The error that broke off the output.
        public var cause: (any Error)? { reason }

        /// The kind of failure, by its cause: ``StreamingError/Code/interrupted`` if the stream broke, was silent for
        /// too long, or ended before its end event; ``StreamingError/Code/reportedError`` if an event reported a server
        /// error; ``StreamingError/Code/invalidEvent`` if an event was too large or the decoder refused it.
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
    /// The failure, without the received parts.
    public var message: String {
        "The output broke off after \(received.count)\(keepsAll ? "" : " or more") parts. \(reason)"
    }
}
