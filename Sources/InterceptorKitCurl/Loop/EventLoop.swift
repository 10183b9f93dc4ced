import CInterceptorKitCurl
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Transfers of one transport, the thread that runs them, and the jobs of tasks that prefer this thread.
///
/// Tasks leave commands in an inbox; the thread takes them all at once, lets libcurl work, hands over arrivals, runs
/// jobs, and sleeps until a socket, libcurl's timer, a command or a job wakes it. While the thread sleeps, a task whose
/// transfer is alone starts it itself. The thread starts with the first transfer or job and ends when the transport is
/// closed or released and nothing is under way. Another thread takes its place while one job holds it for long.
final class EventLoop: Sendable {
    enum Command {
        case start(RequestOperation)
        case stop(RequestOperation)
        case resumeReceiving(RequestOperation)
        case resumeSending(RequestOperation)
    }

    enum Phase {
        case unstarted
        case running
        /// Ends once nothing is under way.
        case retiring
        /// Ends all transfers, then the thread.
        case closing
        case ended
    }

    private struct Inbox {
        var commands: [Command] = []
        var jobs = JobQueue()
        var phase = Phase.unstarted
        // Exists from the first transfer to the thread's end.
        var multi: Multi?
        var isAsleep = false
        var liveCount = 0
        var waitingForIdle: [CheckedContinuation<Void, Never>] = []

        // The number of consecutive starts with nothing else under way.
        var startsAlone = 0

        // Several starts in a row are needed, because after many transfers that ended together each would look alone,
        // and they would wait for each other.
        var isAsleepAlone: Bool {
            phase == .running && isAsleep && liveCount == 0 && startsAlone >= 8
        }

        mutating func countStart() {
            startsAlone = liveCount == 0 ? startsAlone + 1 : 0
            liveCount += 1
        }
    }

    let configuration: Configuration
    private let inbox = Lock(Inbox())
    private let spares = SpareHandles()
    private let acceptsTransfers = Atomic(true)
    // Held by the loop's thread while it is awake. Locked before the inbox.
    private let driver = Lock<LoopDriver?>(nil)
    private let readyOperations = ReadyOperations()
    private let turns = LoopTurns()
    private let watch = BlockedLoopWatch()
    private let onLongJob: (@Sendable (Duration) -> Void)?
    // The assigned transfers that are not over, started or not.
    private let reserved = Atomic(0)
    let idleSockets = IdleSockets()
    let streamLimits = StreamLimits()

    // A socket that is ready waits no longer than this for jobs, or than a few of them take.
    private static let jobTime = Duration.milliseconds(1)
    // Reading the clock costs as much as a short job.
    private static let jobsPerLook = 4

    private let connectionShare: Int
    let isMultiplexed: Bool

    /// - Parameters:
    ///   - connectionShare: The number of loops that share the transport's connections.
    ///   - isMultiplexed: Whether transfers share connections over HTTP/2.
    ///   - onLongJob: Called with the time for which a job has held the thread for long.
    init(
        _ configuration: Configuration,
        connectionShare: Int,
        isMultiplexed: Bool = true,
        onLongJob: (@Sendable (Duration) -> Void)? = nil
    ) {
        self.onLongJob = onLongJob
        self.configuration = configuration
        self.connectionShare = connectionShare
        self.isMultiplexed = isMultiplexed
    }

    /// Whether the calling thread drives this loop.
    var isCurrent: Bool { turns.isOnThread }

    var liveCount: Int { inbox.withLock { $0.liveCount } }

    /// The assigned transfers that are not over, including those yet to start.
    var reservedCount: Int { reserved.load(ordering: .relaxed) }

    /// Counts a transfer that is assigned to this loop.
    func reserve() { reserved.add(1, ordering: .relaxed) }

    /// Counts a transfer that is assigned to this loop, if the count is still the one that the choice was based on.
    func reserve(after count: Int) -> Bool {
        reserved.compareExchange(expected: count, desired: count &+ 1, ordering: .relaxed).exchanged
    }

    /// Subtracts transfers that are over or never start.
    func release(_ count: Int = 1) { reserved.subtract(count, ordering: .relaxed) }

    var isClosed: Bool { !acceptsTransfers.load(ordering: .relaxed) }

    /// Returns a handle without settings of an earlier transfer.
    func takeEasy() -> Easy? { spares.take() ?? Easy() }

    /// Leaves a command for the thread, which the first transfer starts.
    /// - Returns: Whether the command will be carried out.
    func post(_ command: Command) -> Bool {
        if case .start(let operation) = command, startAlone(operation) { return true }
        return inbox.withLock { inbox in
            if case .start = command {
                guard start(&inbox) else { return false }
                inbox.countStart()
            }
            guard inbox.phase != .ended, inbox.phase != .unstarted else { return false }
            inbox.commands.append(command)
            wake(&inbox)
            return true
        }
    }

    /// Lets the transfers under way end, then ends the thread.
    func retire() { turn(to: .retiring) }

    /// Ends the transfers under way and refuses new ones.
    func close() { turn(to: .closing) }

    func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = inbox.withLock { inbox in
                if inbox.liveCount == 0 { return true }
                inbox.waitingForIdle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Schedules a transfer's handover for the end of this round. Called on the thread.
    func touch(_ operation: RequestOperation) { readyOperations.add(operation) }

    /// Starts a transfer on the caller's thread if the loop's thread sleeps without transfers, which saves waking it.
    private func startAlone(_ operation: RequestOperation) -> Bool {
        // Checked before locking, so that the loop's thread seldom finds its inbox or its driver locked.
        guard reservedCount == 1, Multi.canBeShared, operation.io.easy.isPlain,
            inbox.withLock({ $0.isAsleepAlone })
        else { return false }
        return driver.withLockIfAvailable { driver in
            let isAlone = inbox.withLock { inbox in
                guard inbox.isAsleepAlone else { return false }
                inbox.countStart()
                return true
            }
            if isAlone { driver?.startAlone(operation) }
            return isAlone
        } ?? false
    }

    // Runs under the lock: a thread that ends first removes the handle.
    private func wake(_ inbox: inout Inbox) {
        guard inbox.isAsleep else { return }
        inbox.isAsleep = false
        inbox.multi?.wake()
    }

    private func start(_ inbox: inout Inbox) -> Bool {
        if inbox.phase == .running { return true }
        guard inbox.phase == .unstarted, let multi = Multi() else { return false }
        configuration.apply(to: multi, sharedBy: connectionShare)
        // CURLPIPE_NOTHING.
        if !isMultiplexed { multi.set(IKCURL_MULTI_PIPELINING, 0) }
        guard EventThread.start({ self.run(multi) }) == nil else {
            multi.free()
            return false
        }
        inbox.multi = multi
        inbox.phase = .running
        return true
    }

    private func run(_ multi: Multi) {
        turns.begin()
        driver.withLock { $0 = LoopDriver(self, multi, readyOperations) }
        drive(multi)
    }

    // Returns when the loop has ended, or another thread drives it.
    private func drive(_ multi: Multi) {
        while let next = driver.withLock({ $0?.work() }) {
            switch next {
            case .wait(let milliseconds): multi.wait(milliseconds: milliseconds)
            case .jobs: guard runJobs(multi) else { return }
            }
        }
        turns.end()
        driver.withLock { $0 = nil }
        multi.free()
    }

    private func turn(to phase: Phase) {
        acceptsTransfers.store(false, ordering: .relaxed)
        spares.end()
        inbox.withLock { inbox in
            switch inbox.phase {
            case .unstarted:
                inbox.phase = .ended
            case .ended, .closing:
                break
            case .running, .retiring:
                inbox.phase = phase
                wake(&inbox)
            }
        }
    }
}

// Jobs of tasks.
extension EventLoop {
    /// Leaves a job for the thread.
    /// - Returns: Whether the loop runs it; if not, it has ended, or could not begin.
    func enqueue(_ job: JobQueue.Job) -> Bool {
        inbox.withLock { inbox in
            guard start(&inbox) else { return false }
            inbox.jobs.append(job)
            wake(&inbox)
            return true
        }
    }

    // Not under the driver's lock, because a job may start transfers, and may take long.
    // - Returns: Whether this thread still drives the loop.
    private func runJobs(_ multi: Multi) -> Bool {
        let end = Runtime.live.now.advanced(by: Self.jobTime)
        var count = inbox.withLock { $0.jobs.count }
        var done = 0
        while count > 0 {
            for _ in 0..<count {
                guard let job = inbox.withLock({ $0.jobs.popFirst() }) else { return true }
                let turn = turns.beginJob()
                watch.begin(self)
                job.run()
                guard turns.endJob(turn) else {
                    leave(turn)
                    return false
                }
                done &+= 1
                if done % Self.jobsPerLook == 0, Runtime.live.now >= end { break }
            }
            count = inbox.withLock { $0.jobs.count }
            if count > 0, Runtime.live.now >= end {
                multi.wait(milliseconds: 0)
                return true
            }
        }
        return true
    }

    // Ends a thread from which another one took over.
    private func leave(_ turn: LoopTurns.Job) {
        let time = turns.endRelieved(turn)
        // The thread that took over may run jobs again.
        inbox.withLock { wake(&$0) }
        onLongJob?(time)
    }

    /// Whether jobs need not wait for the end of others that hold threads.
    var mayRunJobs: Bool { turns.mayRunJobs }

    /// The transfers and jobs that a further job would wait behind.
    var queueLength: Int { reservedCount + inbox.withLock { $0.jobs.count } }

    /// The number of the job that the thread runs; `nil` between jobs.
    var currentJob: LoopTurns.Job? { turns.currentJob }

    /// The number of jobs begun so far.
    var jobCount: UInt64 { turns.jobCount }

    /// Lets a new thread drive the loop if a job has not ended: this job's thread runs it to its end, and then ends.
    /// - Parameter job: The job that has held the thread for long.
    func relieve(from job: LoopTurns.Job) {
        guard let multi = inbox.withLock({ $0.multi }) else { return }
        // Without a thread, everything waits for the job.
        _ = EventThread.start {
            if self.turns.takeOver(from: job) { self.drive(multi) }
        }
    }
}

extension EventLoop {
    /// Takes the commands.
    /// - Parameter commands: An empty array, whose memory the next commands get.
    func take(_ commands: inout [Command]) -> Phase {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&inbox.commands, &commands)
            return inbox.phase
        }
    }

    enum Rest { case jobs, commands, none }

    /// Returns the rest of the work, jobs first, because they leave commands; without any, the thread is about to
    /// sleep.
    func rest(in phase: Phase) -> Rest {
        inbox.withLock { inbox in
            if !inbox.jobs.isEmpty, turns.mayRunJobs { return .jobs }
            guard inbox.commands.isEmpty, inbox.phase == phase else { return .commands }
            inbox.isAsleep = true
            return .none
        }
    }

    /// Counts transfers that are over, and keeps reusable handles.
    func operationsEnded(_ count: Int, spare handles: [Easy]) {
        release(count)
        spares.keep(handles)
        let waiting = inbox.withLock { inbox in
            inbox.liveCount -= count
            guard inbox.liveCount == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { inbox.waitingForIdle = [] }
            return inbox.waitingForIdle
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Ends the inbox unless it has commands or jobs; after that nothing wakes the thread.
    func end() -> Bool {
        inbox.withLock { inbox in
            guard inbox.commands.isEmpty, inbox.jobs.isEmpty else { return false }
            inbox.phase = .ended
            inbox.multi = nil
            return true
        }
    }
}
