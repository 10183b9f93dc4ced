public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP {
    /// Sends the events of one stream to any number of subscribers, each from its own position.
    ///
    /// ```swift
    /// let broadcaster = HTTP.EventBroadcaster(HTTP.MemoryEventStore(capacity: 10_000))
    /// try await broadcaster.publish(HTTP.ServerSentEvent(data: "3.90", type: "price"))
    /// ```
    ///
    /// A subscriber reads from the ``EventStore`` at its own pace: first the events it has missed, then new ones, with
    /// none lost or repeated. Even a slow subscriber needs memory only for the 32 events that it reads at once. A
    /// subscriber that needs events that the store no longer keeps is treated like one with an unknown id.
    public final class EventBroadcaster: Sendable {
        private struct State {
            var version = 0
            var isFinished = false
            // Events that are being appended to the store.
            var publishing = 0
            var subscribers = 0
            var waiting = WaiterQueue<Waiter<Void, Never>>()
        }

        /// The treatment of a subscriber whose last event the store does not know.
        public enum UnknownID: Sendable {
            /// Throw ``StreamingError/Code/unknownID``.
            case fail
            /// Begin with the oldest stored event. The subscriber does not learn that it lost events, so use this for
            /// streams in which later events replace earlier ones.
            case beginWithOldest
        }

        /// The position of a subscriber that has no event yet.
        public enum Beginning: Sendable {
            /// The next event that is published.
            case live
            /// The oldest stored event.
            case oldest
        }

        /// The store of the events.
        public let store: any EventStore

        private let runtime: Runtime
        private let state = Lock(State())

        /// Creates a broadcaster.
        /// - Parameters:
        ///   - store: The store of the events, which limits how far back subscribers can begin.
        ///   - runtime: The runtime that names the waits of subscribers in simulation reports. Defaults to the live
        ///     runtime.
        public init(_ store: any EventStore, runtime: Runtime = .live) {
            self.store = store
            self.runtime = runtime
        }

        /// The number of subscribers: iterations that have begun, and have neither ended nor been released.
        public var subscriberCount: Int { state.withLock { $0.subscribers } }

        /// Whether ``finish()`` was called. Clients still reconnect after that; to stop a client that has the newest
        /// event, respond with 204.
        public var isFinished: Bool { state.withLock { $0.isFinished } }

        /// Appends an event to the store, and wakes the subscribers.
        ///
        /// Once this returns, every subscriber will get the event. Subscribers get events in the store's order.
        /// - Parameter event: The event; its own id is ignored.
        /// - Returns: The event's id.
        /// - Throws: ``StreamingError/Code/invalidEvent`` if the event cannot be encoded;
        ///   ``StreamingError/Code/finished`` after ``finish()``; the store's errors.
        @discardableResult
        public func publish(_ event: ServerSentEvent) async throws -> String {
            var event = event
            event.id = nil
            try event.validate()
            try beginPublishing()
            // After an error too, because the event may be stored nevertheless.
            defer {
                change { state in
                    state.publishing -= 1
                    state.version += 1
                }
            }
            return try await store.append(event)
        }

        /// Makes the subscribers read the store. Call it when something else, such as another process, has appended to
        /// the store; ``publish(_:)`` calls it itself.
        public func wake() { change { $0.version += 1 } }

        /// Ends all subscribers, once they have received the events that were published or are being published.
        ///
        /// ``publish(_:)`` then throws. Later subscribers receive the stored events, and end.
        public func finish() {
            change { state in
                state.isFinished = true
                state.version += 1
            }
        }

        /// Returns the events for one subscriber: those after its last event, and then new ones.
        ///
        /// The position is fixed when this method returns, not when reading begins, and every iteration begins there.
        /// Reading ends after ``finish()``. Cancelling the reading task ends the iteration at once, with a
        /// `CancellationError`. Reading also throws ``StreamingError/Code/unknownID`` if the store no longer keeps the
        /// next event, and the store's errors.
        /// - Parameters:
        ///   - lastEventID: The id of the subscriber's last event, from its `Last-Event-ID`; `nil` or empty for none.
        ///   - beginning: The position without an id. Defaults to the next event that is published.
        ///   - unknownID: The treatment of an id that the store does not know. Defaults to throwing.
        /// - Throws: ``StreamingError/Code/unknownID``; the store's errors.
        public func events(
            after lastEventID: String?,
            beginning: Beginning = .live,
            unknownID: UnknownID = .fail
        ) async throws -> some AsyncSequence<ServerSentEvent, any Error> & Sendable {
            var events = Events(broadcaster: self, position: nil, unknownID: unknownID)
            if let lastEventID, !lastEventID.isEmpty {
                events.position = lastEventID
                _ = try await events.read(limit: 1)
            } else if beginning == .live {
                events.position = try await store.lastEventID()
            }
            return events
        }

        private func beginPublishing() throws(StreamingError) {
            let isFinished = state.withLock { state in
                if !state.isFinished { state.publishing += 1 }
                return state.isFinished
            }
            guard !isFinished else {
                throw StreamingError(
                    .finished,
                    "The broadcaster was finished, so it takes no more events."
                )
            }
        }

        private func change(_ change: (inout State) -> Void) {
            let waiters = state.withLock { state in
                change(&state)
                return state.waiting.removeAll()
            }
            for task in waiters { task.resume() }
        }
    }
}

extension HTTP.EventBroadcaster {
    /// The version to read before the store, so that later additions count as new.
    private var snapshot: (version: Int, isComplete: Bool) {
        state.withLock { ($0.version, $0.isFinished && $0.publishing == 0) }
    }

    private func enter() { state.withLock { $0.subscribers += 1 } }

    private func leave() { state.withLock { $0.subscribers -= 1 } }

    /// Waits until the store may have events newer than a version, or the task is cancelled.
    private nonisolated(nonsending) func waitForUpdate(after version: Int) async {
        let wait = runtime.beginWait("waits for an event to be published")
        defer { wait?.end() }
        let task = Waiter<Void, Never>()
        let joined = state.withLock { $0.version == version ? $0.waiting.join(task) : nil }
        guard let number = joined else { return }
        await task.value(onCancel: { stopWaiting(number) })
    }

    private func stopWaiting(_ number: Int) {
        state.withLock { $0.waiting.leave(number) }?.resume()
    }
}

extension HTTP.EventBroadcaster {
    /// The events for one subscriber.
    fileprivate struct Events: AsyncSequence, Sendable {
        typealias Element = HTTP.ServerSentEvent

        fileprivate static let batchSize = 32

        fileprivate let broadcaster: HTTP.EventBroadcaster
        fileprivate var position: String?
        fileprivate let unknownID: UnknownID

        struct AsyncIterator: AsyncIteratorProtocol {
            private var events: Events
            private let subscription: Subscription
            private var batch: ArraySlice<HTTP.ServerSentEvent> = []

            fileprivate init(_ events: Events) {
                self.events = events
                subscription = Subscription(events.broadcaster)
            }

            mutating func next() async throws -> HTTP.ServerSentEvent? {
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
                            await events.broadcaster.waitForUpdate(after: before.version)
                        }
                    }
                    return nil
                } catch {
                    subscription.end()
                    throw error
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

        /// Reads from the position, or from the oldest event if the store does not know the position.
        fileprivate mutating func read(limit: Int) async throws -> [HTTP.ServerSentEvent] {
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
