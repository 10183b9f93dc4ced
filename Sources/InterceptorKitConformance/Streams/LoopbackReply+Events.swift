public import InterceptorKit
public import InterceptorKitStreaming
public import InterceptorKitTesting

extension LoopbackServer.Reply {
    /// Returns events as a resuming server does: those after the event that a request names, or 204 if there are none
    /// after it.
    ///
    /// ```swift
    /// let server = try LoopbackServer { request in
    ///     let reply = LoopbackServer.Reply.events(events, for: request)
    ///     return request.number == 1 ? reply.resetInBody(after: 17) : reply
    /// }
    /// ```
    ///
    /// The modifiers of a reply break it after a number of bytes of the body: `truncated(after:)`,
    /// `resetInBody(after:)` and `stalledInBody(after:)`. `chunked(size:)` splits it.
    /// - Parameters:
    ///   - events: All events, each with an id of its own. A request without a known id gets them from the first.
    ///   - request: The request, whose `Last-Event-ID` is read.
    public static func events(
        _ events: [HTTP.ServerSentEvent],
        for request: LoopbackServer.Request
    ) -> Self {
        .events(events, after: request.headers["Last-Event-ID"])
    }

    /// Returns the events after the one with an id, or 204 if there are none after it; for a server that gets its
    /// cursor elsewhere than in `Last-Event-ID`.
    /// - Parameters:
    ///   - events: All events, each with an id of its own.
    ///   - id: The id of the last event that the client has; `nil` or an unknown id stands for none.
    public static func events(_ events: [HTTP.ServerSentEvent], after id: String?) -> Self {
        let start = EventEncoding.start(in: events, after: id)
        guard start < events.count else { return .status(204) }
        return .status(
            200,
            headers: EventEncoding.headers,
            body: EventEncoding.bytes(of: events[start...])
        )
    }
}
