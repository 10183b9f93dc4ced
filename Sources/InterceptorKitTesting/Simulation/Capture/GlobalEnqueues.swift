import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Assigns jobs that the runtime is about to give to the global executor to a simulation.
///
/// The runtime has one hook for the whole process, so this type is global too. The first simulation installs the hook,
/// which stays; while no simulation runs it costs one atomic load.
enum GlobalEnqueues {
    private struct State {
        var running: [SimulationExecutor] = []
        // Tasks first seen on threads without a simulation, so that such a task does not count as new when code inside
        // a simulation wakes it.
        var foreignJobs: Set<UInt64> = []
    }

    private static let state = Lock(State())
    private static let runningCount = Atomic<Int>(0)

    /// The reason that plain and detached tasks are not captured in this process, to complete a sentence; `nil` if they
    /// are. Determined once, by a trial.
    static let fault: String? = unsafe install(in: ConcurrencyRuntime.enqueueGlobalHook)

    /// Installs the hook if the runtime is as expected, and removes it again if it does not work.
    /// - Returns: The unmet expectation.
    static func install(
        in hook: UnsafeMutablePointer<ConcurrencyRuntime.EnqueueHook?>?,
        _ layout: JobFlagLayout = .standard
    ) -> String? {
        guard let hook = unsafe hook else { return "swift_task_enqueueGlobal_hook is missing" }
        // An existing hook is not replaced: it may be another simulator's.
        guard unsafe hook.pointee == nil else { return "another hook is in place" }
        if let fault = CaptureTrial.fault(layout) { return fault }
        // Safety: an aligned word that was nil, so a thread that enqueues meanwhile sees either; a function without
        // context, which is there for as long as the process.
        unsafe hook.pointee = { job, enqueue in
            if !GlobalEnqueues.take(job) { enqueue(job) }
        }
        if capturesDetachedTask() { return nil }
        unsafe hook.pointee = nil
        return "a detached task does not come through the hook"
    }

    private static func capturesDetachedTask() -> Bool {
        let executor = SimulationExecutor()
        register(executor)
        defer { unregister(executor) }
        return SimulationThread.run(executor) {
            let hasRun = Atomic(false)
            // The first task stands for the body; tasks that it starts have higher numbers.
            Task(executorPreference: executor) {}
            let task = Task.detached { hasRun.store(true, ordering: .relaxed) }
            // Safety: both types are one reference to the task, as tried before, which `task` holds.
            let number = ConcurrencyRuntime.number(
                of: unsafe unsafeBitCast(task, to: UnownedJob.self)
            )
            guard executor.captured.contains(number) else { return false }
            while executor.readyCount > 0 { executor.run(at: 0) }
            return hasRun.load(ordering: .relaxed) && executor.captured.unended.isEmpty
        }
    }

    static func begin(_ executor: SimulationExecutor) {
        if fault == nil { register(executor) }
    }

    static func end(_ executor: SimulationExecutor) {
        if fault == nil { unregister(executor) }
    }

    private static func register(_ executor: SimulationExecutor) {
        state.withLock { $0.running.append(executor) }
        runningCount.add(1, ordering: .sequentiallyConsistent)
    }

    private static func unregister(_ executor: SimulationExecutor) {
        runningCount.subtract(1, ordering: .sequentiallyConsistent)
        state.withLock { state in
            state.running.removeAll { $0 === executor }
            if state.running.isEmpty { state.foreignJobs = [] }
        }
    }

    private static func take(_ job: UnownedJob) -> Bool {
        guard runningCount.load(ordering: .relaxed) > 0 else { return false }
        let executor = SimulationThread.executor
        let number = ConcurrencyRuntime.number(of: job)
        guard number != 0 else {
            // An actor's turn runs where the actor was called.
            executor?.enqueue(job)
            return executor != nil
        }
        guard let owner = owner(of: number, executor) else { return false }
        owner.enqueue(job)
        guard owner === executor, !owner.captured.contains(number) else { return true }
        owner.captured.adopt(job, number)
        return true
    }

    private static func owner(
        of number: UInt64,
        _ executor: SimulationExecutor?
    ) -> SimulationExecutor? {
        if let executor, executor.captured.contains(number) { return executor }
        return state.withLock { state in
            // Woken by another simulation or by a thread outside all of them.
            if let owner = state.running.first(where: { $0.captured.contains(number) }) {
                return owner
            }
            guard let executor else {
                state.foreignJobs.insert(number)
                return nil
            }
            // Numbers rise, so a task older than the body was not started by it.
            let isOwn = number > executor.firstTask && !state.foreignJobs.contains(number)
            return isOwn ? executor : nil
        }
    }
}
