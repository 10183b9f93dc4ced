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

    /// How many responses' bodies are neither read to their end nor released.
    var openBodies: Int { state.withLock(\.bodies).count { $0.isOpen } }

    /// Runs a call in a child task that ``cancelAll()`` can reach, on the caller's executor.
    func run(
        _ request: HTTP.Request,
        through pipeline: Pipeline<HTTP.Request>,
        call: Call
    ) async throws -> HTTP.Response {
        let isolation = #isolation
        // Half the cost of a task group with one task.
        async let sent = send(request, through: pipeline, call: call, on: isolation)
        let response = try await sent
        if let body = HTTP.WeakBody(response.body) { track(body) }
        return response
    }

    // No closure, since one that is made here runs on the global executor.
    private func send(
        _ request: HTTP.Request,
        through pipeline: Pipeline<HTTP.Request>,
        call: Call,
        on isolation: isolated (any Actor)?
    ) async throws -> HTTP.Response {
        let id = try begin(.call, since: nil)
        defer { end(id) }
        return try await pipeline.run(request, call: call)
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
        async let output = registered(kind, since: cancellations, body)
        return try await output
    }

    private func registered<Output: Sendable>(
        _ kind: Kind,
        since cancellations: Int?,
        _ body: @Sendable () async throws -> Output
    ) async throws -> Output {
        let id = try begin(kind, since: cancellations)
        defer { end(id) }
        return try await body()
    }

    private func begin(_ kind: Kind, since cancellations: Int?) throws -> Int {
        try state.withLock { state in
            if let cancellations, cancellations != state.cancellations { throw CancellationError() }
            state.lastID += 1
            state.tasks[state.lastID] = (kind, TaskHandle.current)
            return state.lastID
        }
    }

    private func end(_ id: Int) { state.withLock { $0.tasks[id] = nil } }

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
