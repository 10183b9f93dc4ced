public import InterceptorKit

extension HTTP.Client {
    /// Returns the events of a `text/event-stream`, and reconnects when the stream breaks.
    ///
    /// ```swift
    /// for try await event in api.events(.get("/prices")) {
    ///     print(event.type, event.data)
    /// }
    /// ```
    ///
    /// The request is sent when reading begins; see ``HTTP/EventSource``.
    /// - Parameters:
    /// - request: The request, sent again for each connection; its body must be replayable.
    ///   - options: The position to begin at, the rules for reconnecting, and the limits.
    ///   - timeout: The longest time for each connection until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    public func events(
        _ request: HTTP.Request,
        options: HTTP.EventSourceOptions = HTTP.EventSourceOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.EventSource {
        HTTP.EventSource(
            client: self,
            request: request,
            options: options,
            timeout: timeout,
            configure: configure
        )
    }
}
