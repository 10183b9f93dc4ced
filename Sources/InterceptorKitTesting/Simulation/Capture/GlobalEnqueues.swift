import InterceptorKit
import Synchronization

/// Decides whom a job belongs to that the runtime is about to give to the global executor.
///
/// The runtime has one hook for the whole process, so this is one for the process too. It is put in
/// place by the first simulation and stays; while no simulation runs it costs one atomic load.
enum GlobalEnqueues {
    private struct State {
        var running: [SimulationExecutor] = []
        // Tasks first seen on threads that run no simulation, so that one of them is not taken for
        // a new one when code inside a simulation wakes it.
        var strangers: Set<UInt64> = []
    }

    private static let state = RunLock(State())
    private static let runningCount = Atomic<Int>(0)

    /// Whether plain and detached tasks can be captured on this platform.
    static let areHooked: Bool = {
        guard let hook = unsafe ConcurrencyRuntime.enqueueGlobalHook else { return false }
        // Somebody else's hook is not replaced: it may be another simulator's.
        guard unsafe hook.pointee == nil else { return false }
        // Safety: an aligned word that was nil, written once, so a thread that enqueues meanwhile sees
        // either; a function without context, which stays for as long as the process.
        unsafe hook.pointee = { job, enqueue in
            if !GlobalEnqueues.take(job) { enqueue(job) }
        }
        return true
    }()

    static func begin(_ executor: SimulationExecutor) {
        guard areHooked else { return }
        state.withLock { $0.running.append(executor) }
        runningCount.add(1, ordering: .sequentiallyConsistent)
    }

    static func end(_ executor: SimulationExecutor) {
        guard areHooked else { return }
        runningCount.subtract(1, ordering: .sequentiallyConsistent)
        state.withLock { state in
            state.running.removeAll { $0 === executor }
            if state.running.isEmpty { state.strangers = [] }
        }
    }

    private static func take(_ job: UnownedJob) -> Bool {
        guard runningCount.load(ordering: .relaxed) > 0 else { return false }
        let here = SimulationThread.executor
        let number = ConcurrencyRuntime.number(of: job)
        guard number != 0 else {
            // An actor's turn runs where the actor was called.
            here?.enqueue(job)
            return here != nil
        }
        guard let owner = owner(of: number, here) else { return false }
        owner.enqueue(job)
        guard owner === here, !owner.captured.contains(number) else { return true }
        owner.captured.adopt(job, number)
        return true
    }

    private static func owner(
        of number: UInt64,
        _ here: SimulationExecutor?
    ) -> SimulationExecutor? {
        if let here, here.captured.contains(number) { return here }
        return state.withLock { state in
            // Woken by another simulation or by a thread outside all of them.
            if let owner = state.running.first(where: { $0.captured.contains(number) }) {
                return owner
            }
            guard let here else {
                state.strangers.insert(number)
                return nil
            }
            // Numbers rise, so what is older than the body was not started by it.
            let isOwn = number > here.firstTask && !state.strangers.contains(number)
            return isOwn ? here : nil
        }
    }
}
