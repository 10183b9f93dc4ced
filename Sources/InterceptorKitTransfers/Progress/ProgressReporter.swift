import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The latest progress of a transfer, for any number of observers.
///
/// An observer gets the latest report after the one it has seen. A slow observer costs no memory; it misses replaced
/// reports, but never the last one.
final class ProgressReporter: Sendable {
    private struct State {
        var meter: ProgressMeter
        var version = 1
        var isFinished = false
        var waiting = WaiterQueue<(seen: Int, task: Waiter<Void, Never>)>()

        func hasUpdate(since seen: Int) -> Bool { isFinished || version > seen }

        mutating func takeWaiters() -> [Waiter<Void, Never>] {
            let (isFinished, version) = (isFinished, version)
            return waiting.removeAll { waiter in isFinished || version > waiter.seen }.map(
                \.task
            )
        }
    }

    private let runtime: Runtime
    private let state: Lock<State>

    init(_ runtime: Runtime) {
        self.runtime = runtime
        state = Lock(State(meter: ProgressMeter(at: runtime.now)))
    }

    var latest: HTTP.Progress { state.withLock { $0.meter.progress } }

    func begin(with bytes: Int, of total: Int?) {
        change { $0.meter.begin(with: bytes, of: total, at: runtime.now) }
    }

    func report(_ bytes: Int, of total: Int?) {
        change { $0.meter.report(bytes, of: total, at: runtime.now) }
    }

    func finish() { change { $0.isFinished = true } }

    private func change(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            guard !state.isFinished else { return [Waiter<Void, Never>]() }
            change(&state)
            if !state.isFinished { state.version += 1 }
            return state.waiting.isEmpty ? [] : state.takeWaiters()
        }
        for task in waiters { task.resume() }
    }

    /// Waits for a report after the one that an observer has seen; returns `nil` when there will be none, or the task
    /// is cancelled.
    nonisolated(nonsending) func next(
        after seen: Int
    ) async -> (progress: HTTP.Progress, version: Int)? {
        guard !Task.isCancelled else { return nil }
        if state.withLock({ !$0.hasUpdate(since: seen) }) { await wait(after: seen) }
        return state.withLock { state in
            state.version > seen ? (state.meter.progress, state.version) : nil
        }
    }

    /// Waits until the transfer has ended, or the task is cancelled.
    nonisolated(nonsending) func waitForEnd() async { await wait(after: .max) }

    private nonisolated(nonsending) func wait(after seen: Int) async {
        let wait = runtime.beginWait("waits for a transfer")
        defer { wait?.end() }
        let task = Waiter<Void, Never>()
        let joined = state.withLock { state in
            state.hasUpdate(since: seen) ? nil : state.waiting.join((seen, task))
        }
        guard let number = joined else { return }
        await task.value(onCancel: { leave(number) })
    }

    private func leave(_ number: Int) {
        state.withLock { $0.waiting.leave(number) }?.task.resume()
    }
}
