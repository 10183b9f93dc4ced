public import InterceptorKit

extension HTTP {
    /// An error of a sequence of pages, besides those of the chain and the transport.
    public struct PaginationError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// A page's status is not 2xx: see ``PaginationError/response``.
            public static let refused = Code(description: "refused")
            /// The next page is one that has been read: the server leads in a circle.
            public static let repeatedPage = Code(description: "repeatedPage")
            /// The next page is at another origin, which must not get the request's fields.
            public static let otherOrigin = Code(description: "otherOrigin")
            /// There are more pages than the limit.
            public static let tooManyPages = Code(description: "tooManyPages")
        }

        public let code: Code
        public let message: String
        /// The response that refused a page, unread.
        public let response: Response?

        init(_ code: Code, _ message: String, response: Response? = nil) {
            self.code = code
            self.message = message
            self.response = response
        }
    }
}

extension HTTP.PaginationError: StatusReportingError {
    /// The status of the ``response``.
    public var responseStatus: HTTP.Status? { response?.status }
    /// The time that the server asked to wait with the ``response``.
    public var retryAfter: Duration? { response?.retryAfter }
}
