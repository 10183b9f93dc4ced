#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of a credential and of its refreshes. It decides what to do next, and has no effects of its own.
///
/// The version tells a newly refreshed credential from the one that a late rejection is about. The epoch, which each
/// sign-in or sign-out increments, tells results that are still wanted from those of an earlier session.
struct CredentialState {
    private enum Session {
        case open
        /// Refreshes fail, and the next one waits.
        case failing(Pause)
        /// The authorization server declared the session over.
        case ended(any Error)
        case signedOut
    }

    private struct Pause {
        let error: any Error
        let failures: Int
        let end: Runtime.Instant
    }

    private enum OperationState {
        case none
        /// The flag: whether a call waits for the operation after this one.
        case running(Operation, isNextAwaited: Bool)
    }

    let policy: RefreshPolicy
    private(set) var cached: Cached?
    private(set) var epoch = 0
    /// The number of sign-ins and sign-outs that the source has not processed yet.
    private(set) var pendingReplacements = 0
    private var session = Session.open
    private var operationState = OperationState.none
    private var lastOperation = 0
    private var lastSuccess = 0
    /// The newest version that a server rejected.
    private var rejected: Int?
    /// The version for which the source had no replacement.
    private var unrefreshable: Int?
    private var window: RefreshWindow

    init(_ policy: RefreshPolicy) {
        self.policy = policy
        window = RefreshWindow(policy)
    }

    /// The operation in progress, unless it was given up.
    var running: Operation? {
        if case .running(let operation, _) = operationState { operation } else { nil }
    }

    var absenceError: any Error {
        switch session {
        case .ended(let error): error
        case .signedOut: TokenError.signedOut
        case .open, .failing: TokenError.missingCredential
        }
    }

    private var isOver: Bool {
        switch session {
        case .ended, .signedOut: true
        case .open, .failing: false
        }
    }

    private var hasEnded: Bool { if case .ended = session { true } else { false } }

    private var isSignedOut: Bool { if case .signedOut = session { true } else { false } }

    /// Returns how to meet a requirement.
    mutating func action(for requirement: Requirement, at now: Runtime.Instant, _ date: Date)
        -> Action
    {
        if case .newer(let version) = requirement { rejected = max(rejected ?? version, version) }
        if let cached = match(for: requirement, at: now, date) { return .use(cached) }
        if isOver { return .refuse(absenceError) }
        if let running, isAwaited(running, at: now) {
            guard requirement == .fresh else { return .wait(operation: running.id) }
            operationState = .running(running, isNextAwaited: true)
            return .wait(operation: running.id + 1)
        }
        if let error = blockingError(at: now) { return .refuse(error) }
        return .begin(begin(at: now))
    }

    /// Returns the credential that meets a requirement at once; `nil` if none does.
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

    /// Returns the credential to send with after a failed refresh, if it has neither expired nor been rejected.
    func stillAccepted(at date: Date) -> Cached? {
        guard let cached, cached.isAccepted(at: date), rejected != cached.version else {
            return nil
        }
        return cached
    }

    /// Returns an operation to begin in the background, if the credential is near its expiry.
    mutating func backgroundOperation(at now: Runtime.Instant, _ date: Date) -> Operation? {
        guard let cached, let left = cached.credential?.secondsLeft(at: date), running == nil,
            !hasEnded, unrefreshable != cached.version, blockingError(at: now) == nil
        else { return nil }
        return left <= cached.margins?.background ?? 0 ? begin(at: now) : nil
    }

    private func usable(_ cached: Cached, at now: Runtime.Instant, _ date: Date) -> Cached? {
        guard let credential = cached.credential else { return cached }
        if hasEnded {
            let isOver = rejected == cached.version || credential.hasExpired(at: date)
            return isOver ? Cached(credential: nil, version: cached.version) : cached
        }
        // A refresh in progress will replace the rejected credential.
        if rejected == cached.version, let running, isAwaited(running, at: now) { return nil }
        let left = credential.secondsLeft(at: date) ?? .infinity
        let isTooLate = left <= cached.margins?.blocking ?? 0 && unrefreshable != cached.version
        return isTooLate ? nil : cached
    }

    private func isAwaited(_ operation: Operation, at now: Runtime.Instant) -> Bool {
        operation.began.duration(to: now) < policy.abandonAfter
    }

    private func blockingError(at now: Runtime.Instant) -> (any Error)? {
        if case .failing(let pause) = session, now < pause.end { return pause.error }
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
        operationState = .running(operation, isNextAwaited: false)
        return operation
    }
}

extension CredentialState {
    /// Applies the result of an operation.
    /// - Returns: `nil` if the result is no longer wanted.
    mutating func finish(
        _ operation: Operation,
        _ result: Result<Credential?, any Error>,
        at now: Runtime.Instant,
        _ date: Date,
        fraction: Double
    ) -> Completion? {
        guard isWanted(operation) else { return nil }
        var isRunning = false
        var isNextAwaited = false
        if case .running(let running, let isWanted) = operationState, running.id == operation.id {
            isRunning = true
            isNextAwaited = isWanted
            operationState = .none
        }
        var completion: Completion
        switch checked(result, of: operation, date) {
        case .success(let credential) where credential != nil || !operation.isRefresh:
            lastSuccess = operation.id
            if operation.isRefresh, rejected == operation.basis { window.note(now) }
            let lifetime = operation.isRefresh ? credential?.secondsLeft(at: date) : nil
            let cached = hold(credential, lifetime: lifetime, fraction: fraction)
            completion = Completion(result: .success(cached), change: .replaced)
        case .success:
            // None is available: the old one stays, and because its version is unchanged, nothing is replayed.
            unrefreshable = cached?.version
            completion = Completion(result: unchanged, change: .kept)
        case .failure where !isRunning:
            return nil
        case .failure where operation.basis != cached?.version ?? 0:
            // A newer credential has arrived from an operation that was given up.
            completion = Completion(result: unchanged, change: .kept)
        case .failure(let error):
            completion = fail(error, at: now)
        }
        if isNextAwaited { completion.next = nextOperation(at: now, date) }
        return completion
    }

    func isWanted(_ operation: Operation) -> Bool {
        operation.epoch == epoch && (running?.id == operation.id || operation.id > lastSuccess)
    }

    mutating func replace(with credential: Credential?) -> Cached {
        epoch += 1
        operationState = .none
        window = RefreshWindow(policy)
        let new = hold(credential, lifetime: nil, fraction: 0)
        if credential == nil { session = .signedOut }
        return new
    }

    /// Counts the beginning or the end of the source's processing of a sign-in or sign-out.
    mutating func addPendingReplacements(_ change: Int) { pendingReplacements += change }

    /// Takes over the source's credential if it differs, also if there is none.
    /// - Returns: The new credential; `nil` if it is unchanged.
    mutating func reload(_ credential: Credential?) -> Cached? {
        switch (credential, cached?.credential) {
        case (nil, nil) where cached != nil: return nil
        case (var same?, let held?) where held.isSame(as: same):
            // The expiry here may be a corrected one.
            same.expiresAt = held.expiresAt
            cached?.credential = same
            return nil
        default:
            let new = replace(with: credential)
            // Nobody signed out here, so the source may be asked, as before a sign-in.
            session = .open
            return new
        }
    }

    private var unchanged: Result<Cached, any Error> {
        .success(cached ?? Cached(credential: nil, version: 0))
    }

    private mutating func hold(
        _ credential: Credential?,
        lifetime: Double?,
        fraction: Double
    ) -> Cached {
        session = .open
        let margins = credential?.expiresAt.map { _ in
            RefreshMargins(policy, lifetime: lifetime, fraction: fraction)
        }
        let new = Cached(
            credential: credential,
            version: (cached?.version ?? 0) + 1,
            margins: margins
        )
        cached = new
        return new
    }

    private mutating func fail(_ error: any Error, at now: Runtime.Instant) -> Completion {
        if let error = error as? any SessionEndingError, error.endsSession, !error.canResume {
            session = .ended(error)
            return Completion(result: .failure(error), change: .sessionEnded)
        }
        var failures = 1
        if case .failing(let pause) = session { failures = pause.failures + 1 }
        let retryAfter = (error as? any ClassifiedError)?.classification.retryAfter ?? .zero
        let delay = max(
            policy.backoff.delay(after: failures, fraction: 1),
            min(retryAfter, RefreshPolicy.longestRetryAfter)
        )
        session = .failing(
            Pause(error: error, failures: failures, end: now.advanced(by: delay))
        )
        return Completion(result: .failure(error), change: .failed)
    }

    private mutating func nextOperation(
        at now: Runtime.Instant,
        _ date: Date
    ) -> Result<Operation, any Error> {
        switch action(for: .fresh, at: now, date) {
        case .begin(let operation): .success(operation)
        case .refuse(let error): .failure(error)
        // Nothing is running, and no held credential is fresh.
        case .use, .wait: .failure(absenceError)
        }
    }

    /// Returns the result if its credential is usable; of an unusable one, only the refresh token is taken over.
    private mutating func checked(
        _ result: Result<Credential?, any Error>,
        of operation: Operation,
        _ date: Date
    ) -> Result<Credential?, any Error> {
        do {
            guard var credential = try result.get() else { return .success(nil) }
            do {
                try credential.validate()
                // Another process's credential may be another user's.
                if operation.isRefresh && !credential.isFromAnotherProcess {
                    credential.attachment = credential.attachment ?? cached?.credential?.attachment
                }
                // No source issues expired credentials, so the clocks differ, and only a rejection can tell.
                if operation.isRefresh && credential.hasExpired(at: date) {
                    credential.expiresAt = nil
                }
                return .success(credential)
            } catch {
                let old = cached?.credential
                cached?.credential = old?.refreshable(as: credential)
                return .failure(error)
            }
        } catch is CancellationError {
            return .failure(TokenError.refreshCancelled)
        } catch {
            return .failure(error)
        }
    }
}

/// The successful refreshes within the policy's window.
private struct RefreshWindow {
    let limit: Int
    let length: Duration
    private var ends: [Runtime.Instant] = []

    init(_ policy: RefreshPolicy) {
        limit = policy.limit
        length = policy.window
    }

    func isFull(at now: Runtime.Instant) -> Bool {
        ends.count == limit && ends[0].duration(to: now) < length
    }

    mutating func note(_ now: Runtime.Instant) {
        // Only the oldest decides, so no more than the limit are kept.
        if ends.count == limit { ends.removeFirst() }
        ends.append(now)
    }
}
