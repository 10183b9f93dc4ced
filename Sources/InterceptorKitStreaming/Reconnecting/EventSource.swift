public import InterceptorKit

extension HTTP {
    /// The events of a `text/event-stream`. The source reconnects after a break and resumes after the last event.
    ///
    /// ```swift
    /// for try await event in api.events(.get("/prices")) {
    ///     print(event.type, event.data)
    /// }
    /// ```
    ///
    /// Each connection is a call of the client through the whole chain: it gets a fresh token, signature and endpoint,
    /// and counts for the circuit breaker. Connections end and begin as follows:
    ///
    /// | outcome | consequence |
    /// |---|---|
    /// | 200 with `text/event-stream` | its events |
    /// | the end, a break, or silence beyond the limit | another connection |
    /// | 408, 425, 429, 5xx other than 501; a transient error of the chain | another connection, after `Retry-After` at the earliest |
    /// | 204 | the end of the sequence |
    /// | any other status, another media type, a permanent error of the chain | the error is thrown |
    ///
    /// After a reconnection, an event whose id was delivered is not delivered again, and no event is skipped if the
    /// server resumes from the id that it receives. Events without ids can be lost in a break. An event counts as
    /// delivered when the loop receives it.
    ///
    /// Nothing runs between two steps of the loop: there is no task, and no buffer beyond a chunk. A slow loop slows
    /// the server down. Each iteration is a separate stream that begins at ``EventSourceOptions/lastEventID``. Leaving
    /// the loop releases the connection. Cancelling the task ends the iteration with a `CancellationError`, and so does
    /// `HTTP.Client.cancelAll()` unless the loop is busy with ``Update/willReconnect(after:because:)``.
    public struct EventSource: AsyncSequence, Sendable {
        public typealias Element = ServerSentEvent

        let client: Client
        let request: Request
        let options: EventSourceOptions
        let timeout: Duration?
        let configure: @Sendable (inout Call) throws -> Void

        /// Reads the events, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var connection: EventSourceConnection

            init(_ source: EventSource) { connection = EventSourceConnection(source) }

            /// The next event; `nil` when the server has ended the stream with a 204.
            /// - Throws: ``HTTP/StreamingError`` or the error of the chain that ends the source;
            ///   `CancellationError`.
            public mutating func next() async throws -> ServerSentEvent? {
                while let update = try await connection.next() {
                    switch update {
                    case .event(let event): return event
                    case .ended(let error?): throw error
                    case .opened, .comment, .willReconnect, .ended: continue
                    }
                }
                return nil
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

        /// The events, and the changes of the connection between them.
        ///
        /// ```swift
        /// for try await update in api.events(.get("/prices")).updates {
        ///     switch update {
        ///     case .event(let event): show(event)
        ///     case .willReconnect(let delay, _): showOffline(for: delay)
        ///     default: break
        ///     }
        /// }
        /// ```
        ///
        /// The last update is ``Update/ended(because:)``; reading throws only `CancellationError`.
        public var updates: some AsyncSequence<Update, any Error> & Sendable {
            Updates(source: self)
        }

        /// An event, or a change of the connection.
        public enum Update: Sendable {
            /// A connection opened. Has the head of its response.
            case opened(Response)
            /// An event arrived.
            case event(ServerSentEvent)
            /// A comment arrived, which servers send to keep the connection alive. Has its text, without the colon.
            case comment(String)
            /// A connection ended or failed. The next one begins after a delay.
            case willReconnect(after: Duration, because: any Error)
            /// The source ended, because of an error or, without one, because the server sent 204. This is the last
            /// update.
            case ended(because: (any Error)?)
        }

        private struct Updates: AsyncSequence, Sendable {
            typealias Element = Update

            let source: EventSource

            struct AsyncIterator: AsyncIteratorProtocol {
                private var connection: EventSourceConnection

                init(_ source: EventSource) { connection = EventSourceConnection(source) }

                mutating func next() async throws -> Update? { try await connection.next() }
            }

            func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }
        }
    }
}
