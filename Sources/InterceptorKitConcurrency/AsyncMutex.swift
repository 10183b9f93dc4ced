import Synchronization

/// Lets one task at a time do something that takes several steps, in the order they came.
///
/// For short work that always ends, such as reading or writing a small file: a waiter keeps waiting for its
/// turn when it is cancelled.
package final class AsyncMutex: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    package init() {}

    package nonisolated(nonsending) func withLock<Result>(
        _ work: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        await begin()
        defer { end() }
        return try await work()
    }

    private nonisolated(nonsending) func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
