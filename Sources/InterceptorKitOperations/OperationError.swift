public import InterceptorKit

extension HTTP {
    /// An error of waiting for a long-running operation, besides those of the chain and the transport.
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
            /// The state is to be asked for at another origin, which must not get the request's fields.
            public static let otherOrigin = Code(description: "otherOrigin")
        }

        public let code: Code
        public let message: String
        /// The last response, with its body in memory.
        public let response: Response?
        /// Where to ask for the operation's state, to go on waiting later.
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
