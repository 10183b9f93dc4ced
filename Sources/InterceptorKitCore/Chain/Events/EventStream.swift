import InterceptorKitConcurrency
import Synchronization

/// The events of a client's calls, for as many readers as there are.
///
/// ```swift
/// let stream = EventStream()
/// let api = try HTTP.Client(transport: transport, events: stream) {
///     RetryInterceptor(policy: .standard)
/// }
/// let reader = Task {
///     for await event in stream.subscribe() { print(event.name, event.attributes) }
/// }
/// ```
///
/// While nobody reads, calls report nothing and cost nothing. A reader that is too slow misses the oldest
/// events, which ``missed`` counts; it never holds up a call.
public final class EventStream: EventSink {
    private struct State {
        var readers: [Int: AsyncStream<Event>.Continuation] = [:]
        var lastReader = 0
        var missed = 0
    }

    private let state = Lock(State())
    // Beside the lock, because each call asks, whether or not there are readers.
    private let readerCount = Atomic(0)

    /// Creates a stream.
    public init() {}

    deinit { for reader in state.withLock(\.readers).values { reader.finish() } }

    /// Whether anybody reads.
    public var isListening: Bool { readerCount.load(ordering: .relaxed) > 0 }

    /// How many events readers have missed because they were too slow.
    public var missed: Int { state.withLock(\.missed) }

    /// Reads the events of calls that start from now on.
    ///
    /// The sequence ends when the stream goes; to stop before, leave the loop or cancel its task.
    /// - Parameter limit: How many events wait for a reader that is slower than the calls, before the
    ///   oldest is dropped. Defaults to 1,024.
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
        // Outside of the lock, because to release a reader may run code that is not this type's.
        _ = state.withLock { state in
            let reader = state.readers.removeValue(forKey: number)
            readerCount.store(state.readers.count, ordering: .relaxed)
            return reader
        }
    }
}
