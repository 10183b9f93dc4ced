import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Finds out whether one job holds a loop's thread for long, and lets another thread drive the loop then.
///
/// It looks while jobs run, and no longer.
final class BlockedLoopWatch: Sendable {
    private struct Seen {
        var job: LoopTurns.Job?
        var jobCount: UInt64 = 0
    }

    // As long as Go's scheduler lets a goroutine run (`forcePreemptNS`).
    private static let period = Duration.milliseconds(10)

    private let isLooking = Atomic(false)
    private let seen = Lock(Seen())

    /// Begins to look at a loop, unless it does. Called when a job has begun, which the watch then sees or is told of.
    func begin(_ loop: EventLoop) {
        if isLooking.load(ordering: .sequentiallyConsistent) { return }
        if isLooking.exchange(true, ordering: .sequentiallyConsistent) { return }
        lookLater(at: loop)
    }

    private func lookLater(at loop: EventLoop) {
        // Threads live in real time, whatever clock a call has.
        let runtime = Runtime.live
        let next = runtime.now.advanced(by: Self.period)
        _ = runtime.timer(at: next, "blocked loop") { self.lookAgain(at: loop) }
    }

    private func lookAgain(at loop: EventLoop) {
        if look(at: loop) { return lookLater(at: loop) }
        isLooking.store(false, ordering: .sequentiallyConsistent)
        // A job that began meanwhile may have found it looking.
        if look(at: loop) { begin(loop) }
    }

    /// Looks once, and relieves a loop that is in the same job as last time.
    /// - Returns: Whether there were jobs since last time.
    private func look(at loop: EventLoop) -> Bool {
        let now = Seen(job: loop.currentJob, jobCount: loop.jobCount)
        let before = seen.withLock { seen in
            defer { seen = now }
            return seen
        }
        if let job = now.job, job == before.job { loop.relieve(from: job) }
        return now.job != nil || now.jobCount != before.jobCount
    }
}
