import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Tests capture's assumptions about the concurrency runtime on four tasks of its own, so that a different runtime
/// switches capture off instead of being misread.
///
/// The tasks prefer an executor that runs them on the calling thread, which is public interface. The results of the
/// runtime's unpublished functions for these tasks are compared with the known facts.
struct CaptureTrial {
    private let layout: JobFlagLayout
    private let executor = TrialExecutor()

    /// Returns the unmet assumption, to complete a sentence; `nil` if all are met.
    static func fault(_ layout: JobFlagLayout = .standard) -> String? {
        if let missing = ConcurrencyRuntime.missingSymbol { return "\(missing) is missing" }
        // Otherwise casts between the two would end the process.
        guard MemoryLayout<Task<Void, Never>>.size == MemoryLayout<UInt>.size,
            MemoryLayout<UnownedJob>.size == MemoryLayout<UInt>.size,
            unsafe MemoryLayout<UnsafeCurrentTask>.size == MemoryLayout<UInt>.size
        else { return "a task or a job is not one reference" }
        return CaptureTrial(layout: layout).fault()
    }

    private init(layout: JobFlagLayout) { self.layout = layout }

    private func fault() -> String? {
        let observed = Lock<UInt64>(0)
        let pause = Lock<CheckedContinuation<Void, Never>?>(nil)
        let task = Task.detached(executorPreference: executor) {
            observed.withLock { $0 = ConcurrencyRuntime.currentNumber }
            async let child: Void = {}()
            await withTaskGroup(of: Void.self) { $0.addTask {} }
            await child
            await withCheckedContinuation { continuation in
                pause.withLock { $0 = continuation }
            }
        }
        let other = Task.detached(executorPreference: executor) {}
        executor.runAll()
        // Safety: the sizes are equal, and both tasks are kept in memory to the end of this function.
        let job = unsafe unsafeBitCast(task, to: UnownedJob.self)
        let otherJob = unsafe unsafeBitCast(other, to: UnownedJob.self)
        let waiting = ConcurrencyRuntime.hasEnded(job, layout)
        let ended = ConcurrencyRuntime.hasEnded(otherJob, layout)
        guard let continuation = pause.withLock({ $0.take() }) else {
            return "a task does not stop at its continuation"
        }
        continuation.resume()
        executor.runAll()
        withExtendedLifetime((task, other)) {}
        return fault(of: executor.tasks, job: address(of: job), current: observed.withLock(\.self))
            ?? (waiting == false ? nil : "a task that waits counts as ended")
            ?? (ended == true ? nil : "a task that has ended counts as waiting")
    }

    private func fault(
        of tasks: [TrialExecutor.Observation],
        job: UInt,
        current: UInt64
    ) -> String? {
        guard let root = tasks.first, tasks.count == 4 else {
            return "four tasks enqueue jobs of \(tasks.count)"
        }
        for task in tasks {
            if !task.text.ends(with: "(id: \(task.number))") {
                return "a task's number is not the one it is described by"
            }
            if task.flags >> layout.priorityShift & 0xFF != UInt(task.priority) {
                return "a job's flags do not hold its priority"
            }
        }
        let children = tasks.dropFirst(2)
        if root.job != job { return "a task and its job are not one reference" }
        if root.number != current { return "the current task's number is not its job's" }
        if tasks.dropFirst().contains(where: { $0.number <= root.number }) {
            return "numbers do not rise"
        }
        if tasks.prefix(2).contains(where: { $0.flags & layout.childBits != 0 }) {
            return "a detached task has the flags of a child"
        }
        if children.contains(where: { $0.flags & layout.childBits == 0 }) {
            return "a child task lacks the flags of one"
        }
        return nil
    }
}

/// Runs jobs on the thread that calls it, and records the runtime's data about their tasks.
private final class TrialExecutor: TaskExecutor {
    struct Observation {
        let job: UInt
        let number: UInt64
        let flags: UInt
        let priority: UInt8
        let text: String
    }

    private struct State {
        var ready: [UnownedJob] = []
        var tasks: [Observation] = []
    }

    private let state = Lock(State())

    /// The tasks that were enqueued, as observed the first time.
    var tasks: [Observation] { state.withLock(\.tasks) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let observation = Observation(
            job: address(of: job),
            number: ConcurrencyRuntime.number(of: job),
            flags: ConcurrencyRuntime.flags(of: job),
            priority: job.priority.rawValue,
            text: job.description
        )
        state.withLock { state in
            state.ready.append(job)
            if !state.tasks.contains(where: { $0.number == observation.number }) {
                state.tasks.append(observation)
            }
        }
    }

    func runAll() {
        while let job = state.withLock({ $0.ready.popLast() }) {
            // Safety: a job leaves `ready` once and so runs once; the caller holds this executor.
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

private func address(of job: UnownedJob) -> UInt {
    // Safety: a number of the same size is made of the reference, as tried before, and compared only.
    unsafe unsafeBitCast(job, to: UInt.self)
}
