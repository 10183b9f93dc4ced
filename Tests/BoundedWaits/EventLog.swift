import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// What has happened, in order, for a test to wait for.
public final class EventLog<Entry: Sendable>: Sendable {
    private struct State {
        var entries: [Entry] = []
        var waits: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Lock(State())

    public init() {}

    public var entries: [Entry] { state.withLock(\.entries) }

    public func note(_ entry: Entry) {
        let waits = state.withLock { state in
            state.entries.append(entry)
            return state.waits
        }
        for wait in waits { wait.yield() }
    }

    /// Returns when what has happened is enough.
    /// - Throws: ``WaitTimedOut`` after the limit, `CancellationError` when the task is cancelled.
    public func wait(
        within limit: Duration = .seconds(20),
        until isEnough: @escaping @Sendable ([Entry]) -> Bool
    ) async throws {
        let (stream, wait) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        // Looks once at what has happened before.
        wait.yield()
        state.withLock { $0.waits.append(wait) }
        try await BoundedWaits.within(limit) { [self] in
            for await _ in stream where isEnough(entries) { return }
            try Task.checkCancellation()
        }
    }
}
