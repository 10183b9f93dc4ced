import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The tasks of one simulation that do not prefer its executor: plain, detached, and their children.
final class CapturedTasks: Sendable {
    /// A plain or detached task, kept in memory so that it can be checked for its end.
    private struct Root {
        let number: UInt64
        let job: UnownedJob
        // Any task may be cancelled through this type; the value is never awaited, because its type may differ.
        let handle: Task<Void, Never>
    }

    private struct State {
        var numbers: Set<UInt64> = []
        var roots: [Root] = []
    }

    private let state = Lock(State())

    func contains(_ number: UInt64) -> Bool { state.withLock { $0.numbers.contains(number) } }

    /// Adds a task when it is enqueued for the first time.
    func adopt(_ job: UnownedJob, _ number: UInt64) {
        state.withLock { state in
            state.numbers.insert(number)
            // A child task lives in its parent's memory and must not be kept beyond it.
            guard ConcurrencyRuntime.isUnstructured(job) else { return }
            // Safety: a job with a number is a task, and both types are one reference to it, which the handle retains;
            // `CaptureTrial` has tried that on this runtime.
            let handle = unsafe unsafeBitCast(job, to: Task<Void, Never>.self)
            state.roots.append(Root(number: number, job: job, handle: handle))
        }
    }

    /// The numbers of plain and detached tasks that have not ended, in the order they were started.
    var unended: [UInt64] {
        state.withLock { state in
            state.roots.filter { ConcurrencyRuntime.hasEnded($0.job) == false }.map { $0.number }
        }
    }

    func cancelAll() {
        let roots = state.withLock { $0.roots }
        for root in roots { root.handle.cancel() }
    }
}
