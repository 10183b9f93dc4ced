import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// When something last moved, so that silence can be told from slowness.
final class Activity: Sendable {
    private struct State {
        var last: Runtime.Instant
        // Waiting for the session is not the server's silence.
        var isPaused = false
    }

    private let state: Lock<State>
    private let runtime: Runtime

    init(on runtime: Runtime) {
        self.runtime = runtime
        state = Lock(State(last: runtime.now))
    }

    /// When something last moved.
    var last: Runtime.Instant {
        let state = state.withLock { $0 }
        return state.isPaused ? runtime.now : state.last
    }

    func note() {
        let now = runtime.now
        state.withLock { $0.last = now }
    }

    /// Does something that may take any time.
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

/// Does something and gives it up when nothing has moved for so long, or when it takes so long in all.
/// - Throws: What the body throws; a `TransportError` with the code `timedOut`.
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
