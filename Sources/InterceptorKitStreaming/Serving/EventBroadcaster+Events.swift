public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP.EventBroadcaster {
    /// The events for one subscriber: see ``events(after:beginning:unknownID:)``.
    ///
    /// Each iteration begins at the same place.
    public struct Events: AsyncSequence, Sendable {
        public typealias Element = HTTP.ServerSentEvent

        static let batchSize = 32

        let broadcaster: HTTP.EventBroadcaster
        var position: String?
        let unknownID: UnknownID

        /// Reads the events, in order.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var events: Events
            private let subscription: Subscription
            private var batch: ArraySlice<HTTP.ServerSentEvent> = []

            init(_ events: Events) {
                self.events = events
                subscription = Subscription(events.broadcaster)
            }

            /// The next event; `nil` after ``HTTP/EventBroadcaster/finish()``.
            /// - Throws: ``HTTP/StreamingError/Code/unknownID`` if the store no longer keeps what comes next;
            ///   the store's errors; `CancellationError`. The iteration is then at its end.
            public mutating func next() async throws -> HTTP.ServerSentEvent? {
                do {
                    while !subscription.hasEnded {
                        try Task.checkCancellation()
                        if let event = batch.popFirst() { return event }
                        let before = events.broadcaster.snapshot
                        batch = try await events.read(limit: Events.batchSize)[...]
                        if let last = batch.last {
                            events.position = try last.storedID
                        } else if before.isComplete {
                            subscription.end()
                        } else {
                            await events.broadcaster.waitForNews(after: before.version)
                        }
                    }
                    return nil
                } catch {
                    subscription.end()
                    throw error
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

        /// Reads on from the position, or from the oldest event if the store does not know it.
        mutating func read(limit: Int) async throws -> [HTTP.ServerSentEvent] {
            do {
                return try await broadcaster.store.events(after: position, limit: limit)
            } catch HTTP.StreamingError.Code.unknownID
                where unknownID == .beginWithOldest && position != nil
            {
                position = nil
                return try await broadcaster.store.events(after: nil, limit: limit)
            }
        }
    }

    /// A subscriber as long as it counts.
    private final class Subscription: Sendable {
        private let broadcaster: HTTP.EventBroadcaster
        private let isOver = Lock(false)

        init(_ broadcaster: HTTP.EventBroadcaster) {
            self.broadcaster = broadcaster
            broadcaster.enter()
        }

        deinit { end() }

        var hasEnded: Bool { isOver.withLock { $0 } }

        func end() {
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { broadcaster.leave() }
        }
    }
}

extension HTTP.ServerSentEvent {
    fileprivate var storedID: String {
        get throws {
            guard let id, !id.isEmpty else {
                throw HTTP.StreamingError(
                    .invalidEvent,
                    "The store returned an event without an id, so what follows it cannot be read."
                )
            }
            return id
        }
    }
}
