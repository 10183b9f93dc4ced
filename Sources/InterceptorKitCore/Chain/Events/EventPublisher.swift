import InterceptorKitConcurrency
import Synchronization

/// An event sink for any number of readers, each of which reads the events in a loop.
///
/// ```swift
/// let publisher = EventPublisher()
/// let api = try HTTP.Client(transport: transport, events: publisher) {
///     RetryInterceptor(policy: .standard)
/// }
/// let reader = Task {
///     for await event in publisher.subscribe() { print(event.name, event.attributes) }
/// }
/// ```
///
/// While nobody reads, calls report nothing and cost nothing. A slow reader never delays a call: it misses the oldest
/// events, and ``missed`` counts them.
public final class EventPublisher: EventSink {
    private struct State {
        var readers: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastReader = 0
        var missed = 0
    }

    private let state = Lock(State())
    // Outside the lock, because every call reads it.
    private let readerCount = Atomic(0)

    /// Creates a publisher.
    public init() {}

    deinit { for reader in state.withLock(\.readers).values { reader.finish() } }

    /// Whether there are readers.
    public var isListening: Bool { readerCount.load(ordering: .relaxed) > 0 }

    /// The number of events that slow readers missed.
    public var missed: Int { state.withLock(\.missed) }

    /// Returns a sequence of the events of calls that start from now on.
    ///
    /// The sequence ends when the publisher is deallocated. To stop earlier, leave the loop or cancel its task.
    /// - Parameter limit: The number of events kept for a slow reader before the oldest is dropped. Defaults to 1,024.
    public func subscribe(buffering limit: Int = 1024) -> AsyncStream<Event> {
        let (events, reader) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(max(1, limit))
        )
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = reader
            readerCount.store(state.readers.count, ordering: .relaxed)
            return state.lastReader
        }
        reader.onTermination = { [weak self] _ in self?.leave(number) }
        return events
    }

    public func record(_ event: Event) {
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers {
            guard case .dropped = reader.yield(event) else { continue }
            state.withLock { $0.missed += 1 }
        }
    }

    private func leave(_ number: Int) {
        // Released outside the lock, because the release of a reader may run foreign code.
        _ = state.withLock { state in
            let reader = state.readers.removeValue(forKey: number)
            readerCount.store(state.readers.count, ordering: .relaxed)
            return reader
        }
    }
}
