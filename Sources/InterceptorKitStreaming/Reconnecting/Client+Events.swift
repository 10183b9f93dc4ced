public import InterceptorKit

extension HTTP.Client {
    /// Returns the events of a `text/event-stream`, which connects again when it breaks.
    ///
    /// ```swift
    /// for try await event in api.events(.get("/prices")) {
    ///     print(event.type, event.data)
    /// }
    /// ```
    ///
    /// Nothing is sent until you read the events: see ``HTTP/EventSource`` for what happens then.
    /// - Parameters:
    ///   - request: The request, sent again for each connection; so a body must be one that can be read more
    ///     than once.
    ///   - options: Where to begin, when to connect again, and the limits.
    ///   - timeout: The longest time for each connection until its response's head; defaults to the client's.
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
