import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The time of the latest progress, which distinguishes silence from slowness.
final class Activity: Sendable {
    private struct State {
        var last: Runtime.Instant
        // A wait for the session is not silence of the server.
        var isPaused = false
    }

    private let state: Lock<State>
    private let runtime: Runtime

    init(on runtime: Runtime) {
        self.runtime = runtime
        state = Lock(State(last: runtime.now))
    }

    /// The time of the latest progress; now, while paused.
    var last: Runtime.Instant {
        let state = state.withLock { $0 }
        return state.isPaused ? runtime.now : state.last
    }

    func note() {
        let now = runtime.now
        state.withLock { $0.last = now }
    }

    /// Pauses the idle timeout during work that may take any time.
    nonisolated(nonsending) func pausing(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        state.withLock { $0.isPaused = true }
        defer {
            let now = runtime.now
            state.withLock { $0 = State(last: now) }
        }
        try await body()
    }
}

/// Runs work, and cancels it after `idle` without progress or after `overall` in all.
/// - Throws: The work's error; a `TransportError` with the code `timedOut`.
func withIdleTimeout(
    _ idle: Duration,
    overall: Duration,
    on runtime: Runtime,
    _ body: @escaping @Sendable (Activity) async throws -> Void
) async throws {
    let activity = Activity(on: runtime)
    let end = runtime.now.advanced(by: overall)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body(activity) }
        group.addTask {
            while true {
                let due = activity.last.advanced(by: idle)
                if min(due, end) <= runtime.now { break }
                try await runtime.sleep(until: min(due, end))
            }
            throw end <= runtime.now
                ? TransportError(.timedOut, "It did not end within \(overall.seconds) s.")
                : TransportError(.timedOut, "No data was transferred for \(idle.seconds) s.")
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
