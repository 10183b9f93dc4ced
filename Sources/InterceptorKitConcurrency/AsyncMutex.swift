import Synchronization

/// A mutex for asynchronous work, which serves waiters in their order of arrival.
///
/// For short work that always ends, such as reading a small file: a cancelled waiter keeps waiting for its turn.
package final class AsyncMutex: Sendable {
    private struct State {
        var isTaken = false
        var waiting = WaiterQueue<Waiter<Void, Never>>()
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
        let waiter = state.withLock { state -> Waiter<Void, Never>? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let waiter = Waiter<Void, Never>()
            state.waiting.join(waiter)
            return waiter
        }
        await waiter?.value(onCancel: {})
    }

    private func end() {
        let next = state.withLock { state in
            let next = state.waiting.removeFirst()
            state.isTaken = next != nil
            return next
        }
        next?.resume()
    }
}
