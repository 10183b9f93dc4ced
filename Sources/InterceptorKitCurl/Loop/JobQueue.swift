/// Jobs of tasks that prefer a loop's thread, in the order in which they came.
///
/// The priorities of jobs do not count: a call's job is short, and none waits behind more than those before it.
struct JobQueue {
    /// A piece of a task, up to its next suspension.
    @safe
    struct Job: Sendable {
        // Safety: the task keeps the executor that it prefers. The job is run once, here or elsewhere, because a queue
        // gives each job to one thread.
        private let job: UnownedJob
        private let executor: UnownedTaskExecutor

        init(_ job: consuming ExecutorJob, on executor: some TaskExecutor) {
            self.job = UnownedJob(job)
            unsafe self.executor = executor.asUnownedTaskExecutor()
        }

        func run() { unsafe job.runSynchronously(on: executor) }

        func runElsewhere() { globalConcurrentExecutor.enqueue(job) }
    }

    private var jobs: [Job] = []
    private var head = 0
    // Moving the rest of the jobs costs less than running as many.
    private static let fewJobs = 64

    var isEmpty: Bool { head == jobs.count }

    var count: Int { jobs.count - head }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func popFirst() -> Job? {
        guard !isEmpty else { return nil }
        defer {
            head += 1
            if isEmpty {
                jobs.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= Self.fewJobs, head >= count {
                // A loop that always has jobs would keep the room of all that it ever had.
                jobs.removeFirst(head)
                head = 0
            }
        }
        return jobs[head]
    }
}
