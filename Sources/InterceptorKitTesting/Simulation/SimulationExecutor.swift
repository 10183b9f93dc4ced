import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Keeps the runnable jobs until the simulation's loop runs them, one at a time, on its thread.
final class SimulationExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        var firstTask: UInt64 = 0
        var realSleeper: UInt64?
        var trace = ScheduleTrace()
    }

    // The lock is needed although one thread runs all jobs: threads outside the simulation may enqueue.
    private let state = Lock(State())
    let captured = CapturedTasks()
    let waits = ActivityRegistry()

    var readyCount: Int { state.withLock { $0.ready.count } }

    /// The body's number, below that of every task it starts.
    var firstTask: UInt64 { state.withLock { $0.firstTask } }

    var trace: ScheduleTrace { state.withLock { $0.trace } }

    /// The task that began to sleep in real time, if one did.
    var realSleeper: UInt64? { state.withLock { $0.realSleeper } }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) {
        let number = ConcurrencyRuntime.number(of: job)
        state.withLock { state in
            if state.firstTask == 0 { state.firstTask = number }
            state.trace.enqueued(number)
            state.ready.append(job)
        }
    }

    /// Runs the job at a position below ``readyCount`` up to its next suspension.
    func run(at position: Int) {
        let job = state.withLock { state in
            state.ready.swapAt(position, state.ready.count - 1)
            let job = state.ready.removeLast()
            state.trace.began(ConcurrencyRuntime.number(of: job))
            return job
        }
        // Safety: a job leaves `ready` once and so runs once; this executor outlives the run.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }

    func note(_ change: (inout ScheduleTrace) -> Void) { state.withLock { change(&$0.trace) } }

    /// Sets the name of a task in the trace.
    func name(_ task: Task<Void, Never>, _ name: String) {
        // Safety: both types are one reference to the task, which the argument keeps alive.
        let number = ConcurrencyRuntime.number(of: unsafe unsafeBitCast(task, to: UnownedJob.self))
        note { $0.named(number, name) }
    }

    /// Records that the running task sleeps in real time, and wakes it at once, because the run is over.
    func refuseSleep(of job: UnownedJob) {
        state.withLock { state in
            if state.realSleeper == nil { state.realSleeper = ConcurrencyRuntime.currentNumber }
            state.ready.append(job)
        }
    }
}
