public import InterceptorKit

extension HTTP {
    /// An error of a stream of lines, records or events that is not one of the chain or the transport.
    public struct StreamingError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// A line, record or event is longer than the limit.
            public static let tooLong = Code(description: "tooLong")
            /// A record cannot be decoded as the requested type; see ``StreamingError/cause``.
            public static let invalidRecord = Code(description: "invalidRecord")
            /// The response is not an event stream.
            public static let unexpectedMediaType = Code(description: "unexpectedMediaType")
            /// The response's status ends the stream for good; see ``StreamingError/response``.
            public static let refused = Code(description: "refused")
            /// The server ended a stream before its end.
            public static let closed = Code(description: "closed")
            /// A model's output broke off; see ``ModelStreamError``.
            public static let interrupted = Code(description: "interrupted")
            /// The id of the last event cannot be sent in a header field.
            public static let unsendableID = Code(description: "unsendableID")
            /// An event reported a server error; see ``StreamingError/event``.
            public static let reportedError = Code(description: "reportedError")
            /// A store no longer keeps the event with this id, so the events after it are unknown.
            public static let unknownID = Code(description: "unknownID")
            /// An event's field contains text that would end the field, or the event cannot be sent for another reason.
            public static let invalidEvent = Code(description: "invalidEvent")
            /// An ``EventBroadcaster`` accepts no more events.
            public static let finished = Code(description: "finished")
        }

        public let code: Code
        public let message: String
        /// The response that refused the stream, with the first 64 KiB of its body.
        public let response: Response?
        /// The event that reports an error; its data describes the error in the server's own format.
        public let event: ServerSentEvent?
        public let cause: (any Error)?

        /// Creates an error.
        /// - Parameters:
        ///   - code: The kind of failure.
        /// - message: The failure, in whole sentences without secrets.
        ///   - response: The response that refused the stream. Defaults to none.
        ///   - event: The event that reports an error. Defaults to none.
        /// - cause: The underlying error. Defaults to none.
        public init(
            _ code: Code,
            _ message: String,
            response: Response? = nil,
            event: ServerSentEvent? = nil,
            cause: (any Error)? = nil
        ) {
            self.code = code
            self.message = message
            self.response = response
            self.event = event
            self.cause = cause
        }
    }
}

extension HTTP.StreamingError: StatusReportingError {
    /// The status of the ``response``.
    public var responseStatus: HTTP.Status? { response?.status }
    /// The wait that the ``response`` asks for.
    public var retryAfter: Duration? { response?.retryAfter }
}
