import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Which thread drives a loop, and which threads still run jobs from which another one took the loop over.
///
/// At most one thread drives: a job's thread gets the loop back only by the number that it left, which the taking over
/// changes.
final class LoopTurns: Sendable {
    /// The number of a job that runs.
    typealias Job = UInt64

    // Odd while a job runs.
    private let turn = Atomic<UInt64>(0)
    private let thread = Atomic<UInt>(0)
    private let relieved = Lock<[Job: Runtime.Instant]>([:])
    private let relievedCount = Atomic(0)
    /// The largest number of jobs that hold threads apart from the driving one: with four loops 64, as many threads as
    /// Dispatch has.
    static let maximumRelieved = 16

    var isOnThread: Bool { thread.load(ordering: .relaxed) == EventThread.current }

    /// Whether jobs may hold the driving thread.
    var mayRunJobs: Bool { relievedCount.load(ordering: .relaxed) < Self.maximumRelieved }

    var currentJob: Job? {
        let turn = turn.load(ordering: .sequentiallyConsistent)
        return turn % 2 == 1 ? turn : nil
    }

    var jobCount: UInt64 { (turn.load(ordering: .sequentiallyConsistent) &+ 1) / 2 }

    /// Makes the calling thread the one that drives.
    func begin() { thread.store(EventThread.current, ordering: .relaxed) }

    /// Ends the driving: the number of an ended thread may be another's.
    func end() { thread.store(0, ordering: .relaxed) }

    func beginJob() -> Job { turn.add(1, ordering: .sequentiallyConsistent).newValue }

    /// Ends a job.
    /// - Returns: Whether the calling thread still drives.
    func endJob(_ job: Job) -> Bool {
        turn.compareExchange(expected: job, desired: job &+ 1, ordering: .releasing).exchanged
    }

    /// Ends a job whose thread no longer drives.
    /// - Returns: The time from the taking over to the end of the job.
    func endRelieved(_ job: Job) -> Duration {
        // Under the lock, which the thread that takes over leaves once it has noted the job.
        let since = relieved.withLock { $0.removeValue(forKey: job) }
        relievedCount.subtract(1, ordering: .relaxed)
        return since.map { $0.duration(to: Runtime.live.now) } ?? .zero
    }

    /// Makes the calling thread the one that drives, if the job has not ended.
    func takeOver(from job: Job) -> Bool {
        relieved.withLock { relieved in
            let isTaken = turn.compareExchange(
                expected: job,
                desired: job &+ 1,
                ordering: .acquiring
            ).exchanged
            guard isTaken else { return false }
            relieved[job] = Runtime.live.now
            relievedCount.add(1, ordering: .relaxed)
            begin()
            return true
        }
    }
}
