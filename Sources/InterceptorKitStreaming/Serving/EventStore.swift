public import InterceptorKit

extension HTTP {
    /// The events of one stream, kept so that clients can go on after the last one that they have.
    ///
    /// ``MemoryEventStore`` keeps them in memory. A store of your own, over a database or a file, keeps these
    /// rules, and an ``EventBroadcaster`` over it then neither loses nor doubles an event:
    ///
    /// - Its events have one order, which never changes. An event does not become readable before another
    ///   that comes earlier in the order: a database whose transactions commit out of the order of their
    ///   numbers must wait for the earlier ones.
    /// - When ``append(_:)`` has returned, the event is readable; if it is to survive a restart, also
    ///   durable.
    /// - An id belongs to one event forever, also after a restart. It is printable ASCII without spaces,
    ///   because clients send it in a header field.
    /// - A store may forget its oldest events, and then no longer knows the ids before the oldest that it
    ///   keeps.
    ///
    /// All methods may be called at any time, from any task.
    public protocol EventStore: Sendable {
        /// Appends an event, and returns the id that it gets.
        ///
        /// If it throws, the event may be in the store nevertheless, as with any write that fails.
        /// - Parameter event: The event, whose own id does not count.
        func append(_ event: ServerSentEvent) async throws -> String

        /// Returns the events that follow an event, in order, with their ids; empty if there are none yet.
        /// - Parameters:
        ///   - id: The id of the event before, or what ``lastEventID()`` returned; `nil` to begin with the
        ///     oldest event that is kept.
        ///   - limit: The largest number of events, at least 1. Fewer are allowed, but not none if there
        ///     are any.
        /// - Throws: ``StreamingError/Code/unknownID`` if the store cannot tell what followed the event.
        func events(after id: String?, limit: Int) async throws -> [ServerSentEvent]

        /// The id of the newest event; in a store without events, an id that stands before the first.
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
