import InterceptorKitConcurrency
import Synchronization

/// A client's calls and transfers under way, and the bodies of calls that have returned, so that all can
/// be ended.
final class CallRegistry: Sendable {
    private enum Kind { case call, transfer, started }

    private struct State {
        var entries: [ObjectIdentifier: (kind: Kind, body: AnySeparateBody)] = [:]
        var bodies: [HTTP.WeakBody] = []
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

    /// Runs a call in a task of its own that ``cancelAll()`` can reach, on the caller's executor, and ends it at
    /// its deadline if it has a limit.
    nonisolated(nonsending) func run(
        _ request: HTTP.Request,
        through pipeline: Pipeline<HTTP.Request>,
        call: Call,
        within limit: CallLimit?
    ) async throws -> HTTP.Response {
        let response = try await run(.call, since: nil, limit.map { ($0, call) }) {
            try await pipeline.run(request, call: call)
        }
        if let body = HTTP.WeakBody(response.body) { track(body) }
        return response
    }

    /// Runs an upload or download, calls and all, in a task of its own that ``cancelAll()`` can reach.
    nonisolated(nonsending) func runTransfer<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await run(.transfer, since: nil) { try await body() }
    }

    /// Told apart from later ones by ``runStarted(since:_:)``.
    var cancellations: Int { state.withLock(\.cancellations) }

    /// Runs what was asked for earlier, unless all was cancelled in between.
    /// - Parameter cancellations: Their number when it was asked for.
    nonisolated(nonsending) func runStarted<Output: Sendable>(
        since cancellations: Int,
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await run(.started, since: cancellations) { try await body() }
    }

    func cancelAll() {
        let (entries, bodies) = state.withLock { state in
            state.cancellations += 1
            return (state.entries.values, state.bodies)
        }
        for entry in entries { entry.body.cancel() }
        for body in bodies { body.cancel() }
    }

    private func count(_ kind: Kind) -> Int {
        state.withLock { $0.entries.values.count { $0.kind == kind } }
    }

    private nonisolated(nonsending) func run<Output: Sendable>(
        _ kind: Kind,
        since cancellations: Int?,
        _ timed: (limit: CallLimit, call: Call)? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let separate = SeparateBody(body)
        let id = ObjectIdentifier(separate)
        try state.withLock { state in
            if let cancellations, cancellations != state.cancellations { throw CancellationError() }
            state.entries[id] = (kind, separate)
        }
        defer { state.withLock { $0.entries[id] = nil } }
        guard let timed else { return try await separate.outcome().get() }
        return try await separate.output(within: timed.limit, of: timed.call)
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
