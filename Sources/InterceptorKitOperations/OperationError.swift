public import InterceptorKit

extension HTTP {
    /// An error of a sequence of pages or of waiting for a long-running operation, besides those of the chain and
    /// the transport.
    public struct OperationError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// The operation has failed; or a status says that it could not be started or asked for: see
            /// ``OperationError/response``.
            public static let failed = Code(description: "failed")
            /// The operation goes on, but the time for waiting is over: see ``OperationError/monitor``.
            public static let timedOut = Code(description: "timedOut")
            /// The server accepted the operation and did not say where to ask for its state.
            public static let noMonitor = Code(description: "noMonitor")
            /// The state or the next page is at another origin, which must not get the request's fields.
            public static let otherOrigin = Code(description: "otherOrigin")
            /// A page's status is not 2xx: see ``OperationError/response``.
            public static let refused = Code(description: "refused")
            /// The next page is one that has been read: the server leads in a circle.
            public static let repeatedPage = Code(description: "repeatedPage")
            /// There are more pages than the limit.
            public static let tooManyPages = Code(description: "tooManyPages")
        }

        public let code: Code
        public let message: String
        /// The last response of an operation, with its body in memory, or the one that refused a page, unread.
        public let response: Response?
        /// Where to ask for the operation's state, to go on waiting later; `nil` for pages.
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
    /// The time that the server asked to wait with the ``response``.
    public var retryAfter: Duration? { response?.retryAfter }
}
