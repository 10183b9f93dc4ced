import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Finds loops whose thread one job holds for long, and lets another thread drive them.
///
/// It looks while jobs run, and no longer.
final class BlockedLoopWatch: Sendable {
    private struct Seen {
        var job: LoopTurns.Job?
        var jobCount: UInt64 = 0
    }

    // As long as Go's scheduler lets a goroutine run (`forcePreemptNS`).
    private static let period = Duration.milliseconds(10)

    private let loops: [EventLoop]
    private let report: (@Sendable (Duration) -> Void)?
    private let isLooking = Atomic(false)
    private let seen: Lock<[Seen]>

    init(_ loops: [EventLoop], reporting report: (@Sendable (Duration) -> Void)?) {
        self.loops = loops
        self.report = report
        seen = Lock(loops.map { _ in Seen() })
    }

    /// Begins to look, unless it does.
    func begin() {
        if isLooking.load(ordering: .relaxed) { return }
        if isLooking.exchange(true, ordering: .relaxed) { return }
        lookLater()
    }

    private func lookLater() {
        // Threads live in real time, whatever clock a call has.
        let runtime = Runtime.live
        let next = runtime.now.advanced(by: Self.period)
        _ = runtime.timer(at: next, "blocked loops") { [weak self] in self?.lookAgain() }
    }

    private func lookAgain() {
        if look() { return lookLater() }
        isLooking.store(false, ordering: .sequentiallyConsistent)
        // A job that began meanwhile may have found it looking.
        if look() { begin() }
    }

    /// Looks once, and relieves each loop that is in the same job as last time.
    /// - Returns: Whether there were jobs since last time.
    func look() -> Bool {
        let (held, isActive) = seen.withLock { seen in
            var held: [(EventLoop, LoopTurns.Job)] = []
            var isActive = false
            for (index, loop) in loops.enumerated() {
                let now = Seen(job: loop.currentJob, jobCount: loop.jobCount)
                if let job = now.job, job == seen[index].job { held.append((loop, job)) }
                isActive = isActive || now.job != nil || now.jobCount != seen[index].jobCount
                seen[index] = now
            }
            return (held, isActive)
        }
        for (loop, job) in held { loop.relieve(from: job, reporting: report) }
        return isActive
    }
}
