public import InterceptorKit

extension HTTP {
    /// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
    public struct ServerSentEvent: Sendable, Hashable {
        /// The type; `message` unless the server names another.
        public var type: String
        /// The data, whose lines are joined by LF.
        public var data: String
        /// The id. In an event that was received, that of the last event with an id up to this one: store it to
        /// go on from here later. `nil` if there is none.
        public var id: String?
        /// The time that a client waits before it connects again, from here on; `nil` leaves it as it is.
        public var retry: Duration?

        /// Creates an event.
        /// - Parameters:
        ///   - data: The data, of any number of lines.
        ///   - type: The type. Defaults to `message`.
        ///   - id: The id. Defaults to none.
        ///   - retry: The time that clients wait before they connect again. Defaults to none.
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
