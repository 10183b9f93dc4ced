public import InterceptorKit

extension HTTP {
    /// An error of a sequence of pages, or of waiting for a long-running operation, that is not one of the chain or the
    /// transport.
    public struct OperationError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// The operation failed, or a status says that it could not be started or polled; see
            /// ``OperationError/response``.
            public static let failed = Code(description: "failed")
            /// The operation goes on, but the time for waiting is over; see ``OperationError/monitor``.
            public static let timedOut = Code(description: "timedOut")
            /// The server accepted the operation without a URL for its state.
            public static let noMonitor = Code(description: "noMonitor")
            /// The URL of the state or of the next page has another origin, which must not get the request's fields.
            public static let otherOrigin = Code(description: "otherOrigin")
            /// A page's status is not 2xx; see ``OperationError/response``.
            public static let refused = Code(description: "refused")
            /// The next page has already been read: the pages form a circle.
            public static let repeatedPage = Code(description: "repeatedPage")
            /// There are more pages than the limit.
            public static let tooManyPages = Code(description: "tooManyPages")
        }

        public let code: Code
        public let message: String
        /// The operation's last response, with its body in memory, or the response that refused a page, unread.
        public let response: Response?
        /// The URL of the operation's state, for waiting again later; `nil` for pages.
        public let monitor: URL?

        init(_ code: Code, _ message: String, response: Response? = nil, monitor: URL? = nil) {
            self.code = code
            self.message = message
            self.response = response
            self.monitor = monitor
        }
    }
}

extension HTTP.OperationError: StatusReportingError {
    /// The status of the ``response``.
    public var responseStatus: HTTP.Status? { response?.status }
    /// The wait that the ``response`` asks for.
    public var retryAfter: Duration? { response?.retryAfter }
}
