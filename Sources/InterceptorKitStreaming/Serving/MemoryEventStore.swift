public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP {
    /// The newest events of a stream, in memory.
    ///
    /// Ids contain a random number of the store, so that a client of another store, such as the one before a restart,
    /// gets ``StreamingError/Code/unknownID`` instead of wrong events.
    public final class MemoryEventStore: EventStore {
        private struct State {
            // The event with the number `n` is at `(n - 1) % capacity`.
            var events: [ServerSentEvent] = []
            var count = 0
        }

        private let capacity: Int
        private let prefix: String
        private let state = Lock(State())

        /// Creates an empty store.
        /// - Parameters:
        ///   - capacity: The number of events kept, at least 1.
        ///   - runtime: The source of the random number in ids. Defaults to the live runtime.
        public init(capacity: Int, runtime: Runtime = .live) {
            self.capacity = max(1, capacity)
            prefix = String(runtime.random(), radix: 16) + "-"
        }

        /// Appends an event, and removes the oldest one if the store is full.
        public func append(_ event: ServerSentEvent) async throws -> String {
            state.withLock { state in
                let index = state.count % capacity
                state.count += 1
                var event = event
                let id = "\(prefix)\(state.count)"
                event.id = id
                if index < state.events.count {
                    state.events[index] = event
                } else {
                    state.events.append(event)
                }
                return id
            }
        }

        /// Returns the events after an event.
        /// - Throws: ``StreamingError/Code/unknownID`` if more events than the capacity have followed it, or the id is
        ///   not from this store.
        public func events(after id: String?, limit: Int) async throws -> [ServerSentEvent] {
            let named = id.map { number(of: $0) }
            let found: [ServerSentEvent]? = state.withLock { state in
                let oldest = state.count - state.events.count
                guard let last = named ?? oldest, oldest...state.count ~= last else { return nil }
                let end = last + min(max(1, limit), state.count - last)
                return (last..<end).map { state.events[$0 % capacity] }
            }
            guard let found else { throw StreamingError.unknownEventID }
            return found
        }

        /// Returns the id of the newest event; in an empty store, an id before the first event.
        public func lastEventID() async throws -> String {
            "\(prefix)\(state.withLock { $0.count })"
        }

        private func number(of id: String) -> Int? {
            guard let digits = id.rest(after: prefix), let number = Int(digits),
                // Only the exact form that the store returned, without a sign or leading zeros.
                "\(prefix)\(number)" == id
            else { return nil }
            return number
        }
    }
}
