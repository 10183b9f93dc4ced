public import InterceptorKit

extension HTTP {
    /// The rules of an ``EventSource``: where it begins, when it connects again, and what it bounds.
    public struct EventSourceOptions: Sendable {
        /// The id of the event to begin after, from an earlier ``ServerSentEvent/id``. Defaults to none: the
        /// server decides where to begin.
        public var lastEventID: String?

        /// Writes the id of the last event into a request, before each connection that begins after an event.
        ///
        /// Defaults to the field `Last-Event-ID` (WHATWG HTML section 9.2.4). Set it for a service that takes a
        /// cursor elsewhere, such as in the query or the body.
        public var resume: @Sendable (_ request: inout Request, _ id: String) throws -> Void =
            EventSourceOptions.lastEventIDField

        /// The waits between connections where the server names none. Defaults to full jitter from 1 s to 30 s,
        /// as in LaunchDarkly's clients.
        ///
        /// The waits grow until an event arrives; a connection alone does not reset them. A server's `retry` is
        /// waited in full, and waits that have grown beyond it still apply.
        public var backoff = Backoff(base: .seconds(1), cap: .seconds(30))

        /// The least time between the beginnings of two connections, whatever the server says. Defaults to 1 s,
        /// so that a server which accepts and closes is not asked in a loop.
        public var minimumInterval: Duration = .seconds(1)

        /// The longest silence of a connection before it is given up. Defaults to 60 s.
        ///
        /// Every byte ends the silence, so that of a comment does. The WHATWG advises servers to send one every
        /// 15 s. A transport with a shorter idle timeout gives up earlier; that of the transports in this
        /// package is 60 s too.
        public var silenceLimit: Duration = .seconds(60)

        /// The largest number of bytes of an event's data, and of a line. Defaults to 1 MiB; a larger event
        /// ends the source.
        public var eventLimit = ServerSentEvents.defaultLimit

        /// The number of last delivered events with an id that are recognised when a server sends them again
        /// after a reconnection. Defaults to 1024, of 8 bytes each; 0 delivers whatever comes.
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
