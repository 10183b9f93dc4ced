public import InterceptorKit

extension HTTP {
    /// An error of a sequence of pages, besides those of the chain and the transport.
    public struct PaginationError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            /// The error with these codes.
            public typealias Failure = PaginationError

            public let description: String

            /// A page's status is not 2xx: see ``PaginationError/response``.
            public static let refused = Code(description: "refused")
            /// The next page is one that has been read: the server leads in a circle.
            public static let repeatedPage = Code(description: "repeated page")
            /// The next page is at another origin, which must not get the request's fields.
            public static let otherOrigin = Code(description: "other origin")
            /// There are more pages than the limit.
            public static let tooManyPages = Code(description: "too many pages")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, in whole sentences without secrets.
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

extension HTTP.PaginationError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
