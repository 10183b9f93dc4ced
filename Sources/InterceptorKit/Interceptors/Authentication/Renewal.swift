#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known of one credential and of its renewals: says what to do next, and does nothing itself.
///
/// A version tells a credential that was just renewed from the one that a late rejection is about. An
/// epoch, which a sign-in or sign-out begins, tells results that are still wanted from those of a
/// session that is over.
struct Renewal {
    /// A credential, or the lack of one, and which it is in the order they came.
    struct Held: Sendable {
        var credential: Credential?
        var version: Int
        var margins: RenewalMargins?
    }

    /// What a call needs.
    enum Demand: Sendable, Equatable {
        /// Whatever there is, once something was loaded.
        case any
        /// One to send a request with.
        case usable
        /// Another one than this version, which was rejected.
        case newer(than: Int)
        /// One that a renewal gets which begins after this demand.
        case fresh
    }

    /// One turn of the source.
    struct Job: Sendable {
        enum Work: Sendable {
            case load
            case refresh(Credential?)
        }

        let id: Int
        let work: Work
        let epoch: Int
        /// The version that it is to replace.
        let basis: Int
        let began: Runtime.Instant

        var isRefresh: Bool { if case .refresh = work { true } else { false } }
    }

    /// What to do about a demand.
    enum Answer {
        case use(Held)
        case refuse(any Error)
        /// Wait for the end of this job or of a later one.
        case wait(job: Int)
        /// Begin this job, and wait for it.
        case begin(Job)
    }

    let policy: RenewalPolicy
    var held: Held?
    var running: Job?
    /// Whether someone waits for the job after the running one.
    var isAnotherWanted = false
    var pause: Pause?
    var ended: (any Error)?
    var isSignedOut = false
    /// The newest version that a server rejected.
    var rejected: Int?
    /// The version that the source had nothing better for.
    var barren: Int?
    var window: RenewalWindow
    var epoch = 0
    var lastJob = 0
    var lastSuccess = 0

    struct Pause {
        var error: any Error
        var failures: Int
        var end: Runtime.Instant
    }

    init(_ policy: RenewalPolicy) {
        self.policy = policy
        window = RenewalWindow(limit: policy.limit, length: policy.window)
    }

    /// Why there is no credential, if there is none.
    var absence: any Error { ended ?? TokenError.missingCredential }

    /// Says what to do about a demand.
    mutating func answer(_ demand: Demand, at now: Runtime.Instant, _ date: Date) -> Answer {
        if let held = satisfaction(of: demand, at: now, date) { return .use(held) }
        if let ended { return .refuse(ended) }
        if isSignedOut { return .refuse(TokenError.missingCredential) }
        if let running, isAwaited(running, at: now) {
            guard demand == .fresh else { return .wait(job: running.id) }
            isAnotherWanted = true
            return .wait(job: running.id + 1)
        }
        if let error = obstacle(at: now) { return .refuse(error) }
        return .begin(begin(at: now))
    }

    /// What meets a demand at once; `nil` if nothing does.
    func satisfaction(of demand: Demand, at now: Runtime.Instant, _ date: Date) -> Held? {
        guard let held else { return nil }
        return switch demand {
        case .any: held
        case .usable: usable(held, at: now, date)
        case .newer(let version): held.version != version || isSignedOut ? held : nil
        case .fresh: nil
        }
    }

    /// What to send with if a renewal failed: what is still accepted, as far as known.
    func lastResort(at date: Date) -> Held? {
        guard let held, let credential = held.credential, !credential.hasExpired(at: date),
            rejected != held.version
        else { return nil }
        return held
    }

    /// A job to begin in the background, if the credential is near its end.
    mutating func jobAhead(at now: Runtime.Instant, _ date: Date) -> Job? {
        guard let held, let left = held.credential?.secondsLeft(at: date), running == nil,
            ended == nil, barren != held.version, obstacle(at: now) == nil
        else { return nil }
        return left <= held.margins?.background ?? 0 ? begin(at: now) : nil
    }

    /// Takes note that a server rejected a version.
    mutating func reject(_ version: Int) { rejected = max(rejected ?? version, version) }

    private func usable(_ held: Held, at now: Runtime.Instant, _ date: Date) -> Held? {
        guard let credential = held.credential else { return held }
        if ended != nil {
            let isOver = rejected == held.version || credential.hasExpired(at: date)
            return isOver ? Held(credential: nil, version: held.version) : held
        }
        // Rejected, and its successor is on the way.
        if rejected == held.version, let running, isAwaited(running, at: now) { return nil }
        let left = credential.secondsLeft(at: date) ?? .infinity
        let isTooLate = left <= held.margins?.blocking ?? 0 && barren != held.version
        return isTooLate ? nil : held
    }

    private func isAwaited(_ job: Job, at now: Runtime.Instant) -> Bool {
        job.began.duration(to: now) < policy.abandonment
    }

    private func obstacle(at now: Runtime.Instant) -> (any Error)? {
        if let pause, now < pause.end { return pause.error }
        return window.isFull(at: now)
            ? TokenError.excessiveRenewal(policy.limit, policy.window) : nil
    }

    private mutating func begin(at now: Runtime.Instant) -> Job {
        lastJob += 1
        let job = Job(
            id: lastJob,
            work: held.map { .refresh($0.credential) } ?? .load,
            epoch: epoch,
            basis: held?.version ?? 0,
            began: now
        )
        running = job
        isAnotherWanted = false
        return job
    }
}
