public import InterceptorKit

/// An error for a session's request that could not be sent through its route.
///
/// It is the underlying error (`NSUnderlyingErrorKey`) of the session's `URLError`.
public struct RoutingError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// The configuration no longer holds its route.
        public static let routeReleased = Code(description: "routeReleased")
        /// The route's client sends through a session of the same route.
        public static let recursion = Code(description: "recursion")
        /// Foundation does not support this kind of task on this platform.
        public static let unsupportedTask = Code(description: "unsupportedTask")
        /// The body is larger than the limit for a completion handler.
        public static let bodyTooLarge = Code(description: "bodyTooLarge")
        /// Only a stored response was acceptable, and the client has no cache.
        public static let notCached = Code(description: "notCached")
    }

    public let code: Code
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let routeReleased = RoutingError(
        .routeReleased,
        "The session's configuration no longer holds its route, because connectionProxyDictionary was "
            + "replaced after it was routed. Call routed(through:) last."
    )

    static let recursion = RoutingError(
        .recursion,
        "The client sends its requests through a session that is routed through that client. Give it a "
            + "transport with a session of its own, such as URLSessionTransport()."
    )

    static let downloadTask = RoutingError(
        .unsupportedTask,
        "On Linux, Foundation has no file for what a URLProtocol downloads. Use a data task, or the "
            + "client itself; nothing was sent."
    )

    static let uploadTask = RoutingError(
        .unsupportedTask,
        "On Linux, the body of this upload task cannot be seen. Put it into the request's httpBody or "
            + "httpBodyStream and use a data task; nothing was sent."
    )

    static func bodyTooLarge(limit: Int) -> RoutingError {
        RoutingError(
            .bodyTooLarge,
            "The response's body is larger than the \(limit) bytes held in memory for a completion "
                + "handler or an async call. Use a data task with a session delegate, or raise upTo:."
        )
    }

    static let notCached = RoutingError(
        .notCached,
        "Only a stored response was asked for, and the client's chain has no cache; nothing was sent."
    )
}
