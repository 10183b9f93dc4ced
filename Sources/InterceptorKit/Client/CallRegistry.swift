import InterceptorKitConcurrency
import Synchronization

/// A client's calls and transfers under way, and the bodies of calls that have returned, so that all can
/// be ended.
final class CallRegistry: Sendable {
    private enum Kind { case call, transfer, started }

    private struct State {
        var tasks: [Int: (kind: Kind, task: TaskHandle)] = [:]
        var bodies: [HTTP.WeakBody] = []
        var lastID = 0
        // How often all was cancelled.
        var cancellations = 0
        // Bodies that are gone are swept when the list has doubled, so that it stays bounded.
        var sweepAt = 64
    }

    private let state = Lock(State())

    /// How many calls are under way, and how many places are kept for bodies.
    var counts: (calls: Int, bodies: Int) { (count(.call), state.withLock { $0.bodies.count }) }

    /// How many uploads and downloads are under way.
    var openTransfers: Int { count(.transfer) }

    /// How many responses' bodies are neither read to their end nor let go of.
    var openBodies: Int { state.withLock(\.bodies).count { $0.isOpen } }

    /// Runs a call in a child task that ``cancelAll()`` can reach.
    func run(
        _ body: @escaping @Sendable () async throws -> HTTP.Response
    ) async throws -> HTTP.Response {
        let response = try await runChild(.call, body)
        if let body = HTTP.WeakBody(response.body) { track(body) }
        return response
    }

    /// Runs an upload or download, calls and all, in a child task that ``cancelAll()`` can reach.
    func runTransfer<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await runChild(.transfer, body)
    }

    /// Told apart from later ones by ``runStarted(since:_:)``.
    var cancellations: Int { state.withLock(\.cancellations) }

    /// Runs what was asked for earlier, unless all was cancelled in between.
    /// - Parameter cancellations: Their number when it was asked for.
    func runStarted<Output: Sendable>(
        since cancellations: Int,
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await runChild(.started, since: cancellations, body)
    }

    func cancelAll() {
        let bodies = state.withLock { state in
            state.cancellations += 1
            // Under the lock, which a call takes to sign off before its task ends.
            for entry in state.tasks.values { entry.task.cancel() }
            return state.bodies
        }
        for body in bodies { body.cancel() }
    }

    private func count(_ kind: Kind) -> Int {
        state.withLock { $0.tasks.values.count { $0.kind == kind } }
    }

    private func runChild<Output: Sendable>(
        _ kind: Kind,
        since cancellations: Int? = nil,
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await withThrowingTaskGroup(of: Output.self) { group in
            group.addTask { try await self.registered(kind, since: cancellations, body) }
            guard let output = try await group.next() else { throw CancellationError() }
            return output
        }
    }

    private func registered<Output: Sendable>(
        _ kind: Kind,
        since cancellations: Int?,
        _ body: @Sendable () async throws -> Output
    ) async throws -> Output {
        let id = try state.withLock { state in
            if let cancellations, cancellations != state.cancellations { throw CancellationError() }
            state.lastID += 1
            state.tasks[state.lastID] = (kind, TaskHandle.current)
            return state.lastID
        }
        defer { state.withLock { state in state.tasks[id] = nil } }
        return try await body()
    }

    private func track(_ body: HTTP.WeakBody) {
        state.withLock { state in
            if state.bodies.count >= state.sweepAt {
                state.bodies.removeAll { !$0.isAlive }
                state.sweepAt = max(64, state.bodies.count * 2)
            }
            state.bodies.append(body)
        }
    }
}
