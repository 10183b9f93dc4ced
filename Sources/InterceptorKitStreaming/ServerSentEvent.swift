public import InterceptorKit

extension HTTP {
    /// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
    public struct ServerSentEvent: Sendable, Hashable {
        /// The type; `message` unless the server names another.
        public var type: String
        /// The data; LF separates its lines.
        public var data: String
        /// The id; `nil` if there is none. A received event has the last id of the stream up to this event: store it to
        /// resume after the event.
        public var id: String?
        /// The reconnection time that clients use from now on; `nil` leaves it unchanged.
        public var retry: Duration?

        /// Creates an event.
        /// - Parameters:
        ///   - data: The data, with any number of lines.
        ///   - type: The type. Defaults to `message`.
        ///   - id: The id. Defaults to none.
        ///   - retry: The reconnection time of clients. Defaults to none.
        public init(
            data: String,
            type: String = "message",
            id: String? = nil,
            retry: Duration? = nil
        ) {
            self.data = data
            self.type = type
            self.id = id
            self.retry = retry
        }
    }
}
