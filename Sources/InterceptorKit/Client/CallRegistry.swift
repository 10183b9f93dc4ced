import InterceptorKitConcurrency
import Synchronization

/// Work in a task of its own that can be cancelled.
protocol OpenWork: AnyObject, Sendable {
    func cancel()
}

extension AnySeparateBody: OpenWork {}

/// A client's open calls, transfers and response bodies, so that all can be cancelled.
final class CallRegistry: Sendable {
    private enum Kind { case call, transfer, started }

    private struct State {
        var entries: [ObjectIdentifier: (kind: Kind, work: any OpenWork)] = [:]
        var bodies: [HTTP.WeakBody] = []
        var cancellations = 0
        // Dead bodies are swept when the list has doubled, which bounds it.
        var sweepAt = 64
    }

    private let state = Lock(State())

    /// The number of calls in flight, and of entries for bodies, open or not.
    var counts: (calls: Int, bodies: Int) { (count(.call), state.withLock { $0.bodies.count }) }

    var openTransfers: Int { count(.transfer) }

    /// The number of response bodies that are neither read to their end nor released.
    var openBodies: Int { state.withLock(\.bodies).count { $0.isOpen } }

    /// Runs a call on the caller's executor, in a task of its own that ``cancelAll()`` or the deadline cancels.
    nonisolated(nonsending) func run(_ call: ClientCall) async {
        let id = ObjectIdentifier(call)
        let cancellations = state.withLock { state in
            state.entries[id] = (.call, call)
            return state.cancellations
        }
        defer { state.withLock { $0.entries[id] = nil } }
        await call.runInTask()
        if let body = call.body.flatMap(HTTP.WeakBody.init) { track(body, since: cancellations) }
    }

    /// Runs an upload or download with all its calls in a task of its own that ``cancelAll()`` cancels.
    nonisolated(nonsending) func runTransfer<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await run(.transfer, since: nil) { try await body() }
    }

    /// The number of calls of ``cancelAll()`` so far; see ``runStarted(since:_:)``.
    var cancellations: Int { state.withLock(\.cancellations) }

    /// Runs work that was requested earlier, unless ``cancelAll()`` was called in between.
    /// - Parameter cancellations: The value of ``cancellations`` at the request.
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
        for entry in entries { entry.work.cancel() }
        for body in bodies { body.cancel() }
    }

    private func count(_ kind: Kind) -> Int {
        state.withLock { $0.entries.values.count { $0.kind == kind } }
    }

    private nonisolated(nonsending) func run<Output: Sendable>(
        _ kind: Kind,
        since cancellations: Int?,
        _ body: nonisolated(nonsending) @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let separate = SeparateBody(body)
        let id = ObjectIdentifier(separate)
        try state.withLock { state in
            if let cancellations, cancellations != state.cancellations { throw CancellationError() }
            state.entries[id] = (kind, separate)
        }
        defer { state.withLock { $0.entries[id] = nil } }
        return try await separate.outcome().get()
    }

    private func track(_ body: HTTP.WeakBody, since cancellations: Int) {
        let isCancelled = state.withLock { state in
            if state.bodies.count >= state.sweepAt {
                state.bodies.removeAll { !$0.isAlive }
                state.sweepAt = max(64, state.bodies.count * 2)
            }
            state.bodies.append(body)
            return state.cancellations != cancellations
        }
        // Cancelled after the call's end and before its body was known.
        if isCancelled { body.cancel() }
    }
}
