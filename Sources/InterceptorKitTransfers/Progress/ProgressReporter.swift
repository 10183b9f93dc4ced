import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The newest progress of a transfer, for any number of observers.
///
/// An observer remembers which report it has seen and is given the newest one after it, so a slow one
/// costs no memory and misses what was replaced meanwhile, but never the last.
final class ProgressReporter: Sendable {
    private struct State {
        var meter: ProgressMeter
        var version = 1
        var isFinished = false
        var lastID = 0
        var waiting: [Int: (seen: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

        func hasNews(since seen: Int) -> Bool { isFinished || version > seen }

        mutating func takeInformed() -> [CheckedContinuation<Void, Never>] {
            let informed = waiting.filter { hasNews(since: $0.value.seen) }
            for id in informed.keys { waiting[id] = nil }
            return informed.values.map(\.continuation)
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
        let informed = state.withLock { state in
            guard !state.isFinished else { return [CheckedContinuation<Void, Never>]() }
            change(&state)
            if !state.isFinished { state.version += 1 }
            return state.waiting.isEmpty ? [] : state.takeInformed()
        }
        for continuation in informed { continuation.resume() }
    }

    /// The newest progress after the one an observer has seen; `nil` when there will be none, and for
    /// a task that is cancelled.
    nonisolated(nonsending) func next(
        after seen: Int
    ) async -> (progress: HTTP.Progress, version: Int)? {
        guard !Task.isCancelled else { return nil }
        if state.withLock({ !$0.hasNews(since: seen) }) { await wait(after: seen) }
        return state.withLock { state in
            state.version > seen ? (state.meter.progress, state.version) : nil
        }
    }

    /// Returns when the transfer has ended, or the waiting task is cancelled.
    nonisolated(nonsending) func waitForEnd() async { await wait(after: .max) }

    private nonisolated(nonsending) func wait(after seen: Int) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let wait = runtime.beginWait("waits for a transfer")
        defer { wait?.end() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard !state.hasNews(since: seen) else { return false }
                    state.waiting[id] = (seen, continuation)
                    return true
                }
                guard isWaiting else { return continuation.resume() }
                // The handler may have run before there was anything to take.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: Int) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiting?.continuation.resume()
    }
}
