import InterceptorKit

/// Keeps the runnable jobs until the simulation's loop runs them, one at a time, on its thread.
final class SimulationExecutor: TaskExecutor {
    // A lock although one thread runs all jobs: threads outside the simulation may enqueue.
    private let ready = Lock<[UnownedJob]>([])

    var readyCount: Int { ready.withLock { $0.count } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    /// Runs the job at a position below ``readyCount`` up to its next suspension.
    func run(at position: Int) {
        let job = ready.withLock { ready in
            ready.swapAt(position, ready.count - 1)
            return ready.removeLast()
        }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
