public import InterceptorKit

extension HTTP {
    /// The rules of an ``EventSource``: its beginning, its reconnections and its limits.
    public struct EventSourceOptions: Sendable {
        /// The id of the event after which to begin, from an earlier ``ServerSentEvent/id``. Defaults to none: the
        /// server decides.
        public var lastEventID: String?

        /// Writes the id of the last event into a request, before each connection that resumes after an event.
        ///
        /// Defaults to the field `Last-Event-ID` (WHATWG HTML section 9.2.4). Set it for a service that expects its
        /// cursor elsewhere, such as in the query or the body.
        public var resume: @Sendable (_ request: inout Request, _ id: String) throws -> Void =
            EventSourceOptions.lastEventIDField

        /// The waits between connections if the server sets none. Defaults to full jitter from 1 s to 30 s, as in
        /// LaunchDarkly's clients.
        ///
        /// The waits grow until an event arrives; a connection alone does not reset them. A server's `retry` is a
        /// minimum: waits that have grown beyond it still apply.
        public var backoff = Backoff(base: .seconds(1), cap: .seconds(30))

        /// The shortest time between the beginnings of two connections, whatever the server says. Defaults to 1 s, so
        /// that a server that accepts and closes connections is not called in a tight loop.
        public var minimumInterval: Duration = .seconds(1)

        /// The longest silence, after which a connection is abandoned. Defaults to 60 s.
        ///
        /// Every byte ends a silence, even that of a comment. The WHATWG advises servers to send a comment every 15 s.
        /// A transport with a shorter idle timeout gives up earlier; the transports in this package also wait 60 s.
        public var silenceLimit: Duration = .seconds(60)

        /// The largest size of an event's data and of a line, in bytes. Defaults to 1 MiB; a larger event ends the
        /// source.
        public var eventLimit = ServerSentEvents.defaultLimit

        /// The number of last delivered events with an id that are recognized if a server repeats them after a
        /// reconnection. Defaults to 1024, of 8 bytes each; 0 delivers repetitions too.
        public var deduplicationWindow = 1024

        /// Creates the default rules.
        public init() {}
    }
}

extension HTTP.EventSourceOptions {
    private static let lastEventIDField: @Sendable (inout HTTP.Request, String) throws -> Void = {
        request,
        id in
        let isSendable =
            id.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
            && HTTP.FieldSyntax.trimmed(id) == id
        guard isSendable else {
            throw HTTP.StreamingError(
                .unsendableID,
                "The id of the last event contains what no header field can carry, so the stream cannot be "
                    + "resumed from it. Write it elsewhere with `resume`."
            )
        }
        request.headers["Last-Event-ID"] = id
    }
}
