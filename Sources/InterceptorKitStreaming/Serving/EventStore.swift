public import InterceptorKit

extension HTTP {
    /// The events of one stream, kept so that clients can resume after their last event.
    ///
    /// ``MemoryEventStore`` keeps them in memory. If your own store, such as one in a database or a file, follows these
    /// rules, an ``EventBroadcaster`` over it neither loses nor repeats an event:
    ///
    /// - The order of events never changes. An event does not become readable before an earlier one: a database whose
    ///   transactions commit in another order than their numbers must wait for the earlier ones.
    /// - When ``append(_:)`` returns, the event is readable, and durable if it is to survive a restart.
    /// - An id belongs to one event forever, even after a restart. It is printable ASCII without spaces, because
    ///   clients send it in a header field.
    /// - A store may remove its oldest events. It then no longer knows ids older than its oldest event.
    ///
    /// All methods may be called at any time, from any task.
    public protocol EventStore: Sendable {
        /// Appends an event, and returns its new id.
        ///
        /// If this throws, the event may be stored nevertheless, as with any write that fails.
        /// - Parameter event: The event; its own id is ignored.
        func append(_ event: ServerSentEvent) async throws -> String

        /// Returns the events after an event, in order and with their ids; empty if there are none yet.
        /// - Parameters:
        /// - id: The id of the event before the first one to return, or the result of ``lastEventID()``; `nil` to begin
        ///   with the oldest event.
        ///   - limit: The largest number of events, at least 1. Fewer may be returned, but at least one if there is
        ///     one.
        /// - Throws: ``StreamingError/Code/unknownID`` if the store does not know the events that follow.
        func events(after id: String?, limit: Int) async throws -> [ServerSentEvent]

        /// Returns the id of the newest event; in an empty store, an id before the first event.
        func lastEventID() async throws -> String
    }
}

extension HTTP.StreamingError {
    /// Creates the error of a store that does not know an id.
    ///
    /// The message does not contain the id, because it comes from a client.
    public static var unknownEventID: HTTP.StreamingError {
        HTTP.StreamingError(
            .unknownID,
            "The store does not know the id of the last event, so what followed it is unknown. The event is "
                + "no longer kept, or was one of another store."
        )
    }
}
