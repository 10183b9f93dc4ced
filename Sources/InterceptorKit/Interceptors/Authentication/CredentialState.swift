#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known of one credential and of its refreshes: says what to do next, and does nothing itself.
///
/// A version tells a credential that was just refreshed from the one that a late rejection is about. An
/// epoch, which a sign-in or sign-out begins, tells results that are still wanted from those of a
/// session that is over.
struct CredentialState {
    /// A credential, or the lack of one, and which it is in the order they came.
    struct Cached: Sendable {
        var credential: Credential?
        var version: Int
        var margins: RefreshMargins?

        /// Whether there is one that has not expired.
        func isAccepted(at date: Date) -> Bool { !(credential?.hasExpired(at: date) ?? true) }
    }

    /// What a call needs.
    enum Requirement: Sendable, Equatable {
        /// Whatever there is, once something was loaded.
        case any
        /// One to send a request with.
        case usable
        /// One that is accepted, as far as known: another is asked for in place of none, or of one that expired.
        case accepted
        /// Another one than this version, which was rejected.
        case newer(than: Int)
        /// One that a refresh gets which begins after this requirement.
        case fresh
    }

    /// One turn of the source.
    struct Operation: Sendable {
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

    /// What to do about a requirement.
    enum Action {
        case use(Cached)
        case refuse(any Error)
        /// Wait for the end of this operation or of a later one.
        case wait(operation: Int)
        /// Begin this operation, and wait for it.
        case begin(Operation)
    }

    let policy: RefreshPolicy
    var cached: Cached?
    var running: Operation?
    /// Whether someone waits for the operation after the running one.
    var isAnotherWanted = false
    var pause: Pause?
    var ended: (any Error)?
    var isSignedOut = false
    /// The newest version that a server rejected.
    var rejected: Int?
    /// The version that the source had nothing better for.
    var unrefreshable: Int?
    var window: RefreshWindow
    var epoch = 0
    /// The sign-ins and sign-outs that the source has not taken in yet.
    var untold = 0
    var lastOperation = 0
    var lastSuccess = 0

    struct Pause {
        var error: any Error
        var failures: Int
        var end: Runtime.Instant
    }

    init(_ policy: RefreshPolicy) {
        self.policy = policy
        window = RefreshWindow(limit: policy.limit, length: policy.window)
    }

    /// Why there is no credential, if there is none.
    var absenceError: any Error {
        ended ?? (isSignedOut ? TokenError.signedOut : .missingCredential)
    }

    /// Says what to do about a requirement.
    mutating func action(for requirement: Requirement, at now: Runtime.Instant, _ date: Date)
        -> Action
    {
        if case .newer(let version) = requirement { rejected = max(rejected ?? version, version) }
        if let cached = match(for: requirement, at: now, date) { return .use(cached) }
        if let ended { return .refuse(ended) }
        if isSignedOut { return .refuse(absenceError) }
        if let running, isAwaited(running, at: now) {
            guard requirement == .fresh else { return .wait(operation: running.id) }
            isAnotherWanted = true
            return .wait(operation: running.id + 1)
        }
        if let error = blockingError(at: now) { return .refuse(error) }
        return .begin(begin(at: now))
    }

    /// What meets a requirement at once; `nil` if nothing does.
    func match(for requirement: Requirement, at now: Runtime.Instant, _ date: Date) -> Cached? {
        guard let cached else { return nil }
        return switch requirement {
        case .any: cached
        case .usable: usable(cached, at: now, date)
        case .accepted: cached.isAccepted(at: date) ? usable(cached, at: now, date) : nil
        case .newer(let version): cached.version != version || isSignedOut ? cached : nil
        case .fresh: nil
        }
    }

    /// What to send with if a refresh failed: what is still accepted, as far as known.
    func stillAccepted(at date: Date) -> Cached? {
        guard let cached, cached.isAccepted(at: date), rejected != cached.version else {
            return nil
        }
        return cached
    }

    /// A operation to begin in the background, if the credential is near its end.
    mutating func backgroundOperation(at now: Runtime.Instant, _ date: Date) -> Operation? {
        guard let cached, let left = cached.credential?.secondsLeft(at: date), running == nil,
            ended == nil, unrefreshable != cached.version, blockingError(at: now) == nil
        else { return nil }
        return left <= cached.margins?.background ?? 0 ? begin(at: now) : nil
    }

    private func usable(_ cached: Cached, at now: Runtime.Instant, _ date: Date) -> Cached? {
        guard let credential = cached.credential else { return cached }
        if ended != nil {
            let isOver = rejected == cached.version || credential.hasExpired(at: date)
            return isOver ? Cached(credential: nil, version: cached.version) : cached
        }
        // Rejected, and its successor is on the way.
        if rejected == cached.version, let running, isAwaited(running, at: now) { return nil }
        let left = credential.secondsLeft(at: date) ?? .infinity
        let isTooLate = left <= cached.margins?.blocking ?? 0 && unrefreshable != cached.version
        return isTooLate ? nil : cached
    }

    private func isAwaited(_ operation: Operation, at now: Runtime.Instant) -> Bool {
        operation.began.duration(to: now) < policy.abandonAfter
    }

    private func blockingError(at now: Runtime.Instant) -> (any Error)? {
        if let pause, now < pause.end { return pause.error }
        return window.isFull(at: now)
            ? TokenError.excessiveRefresh(policy.limit, policy.window) : nil
    }

    private mutating func begin(at now: Runtime.Instant) -> Operation {
        lastOperation += 1
        let operation = Operation(
            id: lastOperation,
            work: cached.map { .refresh($0.credential) } ?? .load,
            epoch: epoch,
            basis: cached?.version ?? 0,
            began: now
        )
        running = operation
        isAnotherWanted = false
        return operation
    }
}
