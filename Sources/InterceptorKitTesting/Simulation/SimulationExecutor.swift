import InterceptorKit

/// Runs jobs one at a time on the thread that asks, in the order a schedule draws.
final class SimulationExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        var schedule: Schedule
    }

    // A lock although one thread runs all jobs: threads outside the simulation may enqueue.
    private let state: Lock<State>

    init(schedule: Schedule) { state = Lock(State(schedule: schedule)) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(job) }
    }

    /// Runs one runnable job up to its next suspension; returns `false` if there is none.
    func runNext() -> Bool {
        let job: UnownedJob? = state.withLock { state in
            guard !state.ready.isEmpty else { return nil }
            let choice = state.schedule.next(below: state.ready.count)
            let last = state.ready.count - 1
            if choice != last { state.ready.swapAt(choice, last) }
            return state.ready.removeLast()
        }
        guard let job else { return false }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
