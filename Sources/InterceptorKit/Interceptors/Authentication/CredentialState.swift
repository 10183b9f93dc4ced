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
        /// So many refreshes failed, the last one with this error, and the next one waits.
        case failing(any Error, failures: Int, until: Runtime.Instant)
        /// The authorization server declared the session over.
        case ended(any Error)
        case signedOut
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
    /// The successful refreshes of rejected credentials.
    private var window: RefreshWindow
    /// The refreshes for needs, also those that failed.
    private var needWindow: RefreshWindow
    /// The last operation that had begun when something was attached; of its result, the attachment is not taken.
    private var lastBeforeAttachment = 0

    init(_ policy: RefreshPolicy) {
        self.policy = policy
        window = RefreshWindow(policy)
        needWindow = RefreshWindow(policy)
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

    private var isOver: Bool { hasEnded || isSignedOut }

    private var hasEnded: Bool { if case .ended = session { true } else { false } }

    private var isSignedOut: Bool { if case .signedOut = session { true } else { false } }

    /// Returns how to meet a requirement.
    mutating func action(for requirement: Requirement, at now: Runtime.Instant, _ date: Date)
        -> Action
    {
        let need = requirement.need
        // A credential that lacks something is accepted for other requests.
        if case .newer(let version, nil) = requirement {
            rejected = max(rejected ?? version, version)
        }
        if let cached = match(for: requirement, at: now, date) { return .use(cached) }
        if isOver { return refusal(absenceError, of: need) }
        if let running, isAwaited(running, at: now) {
            guard requirement == .fresh else { return .wait(operation: running.id) }
            operationState = .running(running, isNextAwaited: true)
            return .wait(operation: running.id + 1)
        }
        if let error = blockingError(at: now, for: need) { return refusal(error, of: need) }
        if need != nil { needWindow.note(now) }
        return .begin(begin(at: now, for: need))
    }

    // Whoever lacks something gets the server's own rejection.
    private func refusal(_ error: any Error, of need: CredentialNeed?) -> Action {
        guard need != nil, let cached else { return .refuse(error) }
        return .use(cached)
    }

    /// Returns the credential that meets a requirement at once; `nil` if none does.
    func match(for requirement: Requirement, at now: Runtime.Instant, _ date: Date) -> Cached? {
        guard let cached else { return nil }
        return switch requirement {
        case .any: cached
        case .usable: usable(cached, at: now, date)
        case .accepted: cached.isAccepted(at: date) ? usable(cached, at: now, date) : nil
        case .newer(let version, let need):
            isSignedOut || cached.version != version && cached.meets(need) ? cached : nil
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

    private func blockingError(
        at now: Runtime.Instant,
        for need: CredentialNeed? = nil
    ) -> (any Error)? {
        if case .failing(let error, _, let end) = session, now < end { return error }
        return (need == nil ? window : needWindow).isFull(at: now)
            ? TokenError.excessiveRefresh(policy.limit, policy.window) : nil
    }

    private mutating func begin(
        at now: Runtime.Instant,
        for need: CredentialNeed? = nil
    ) -> Operation {
        lastOperation += 1
        let operation = Operation(
            id: lastOperation,
            work: cached.map { .refresh($0.credential) } ?? .load,
            epoch: epoch,
            basis: cached?.version ?? 0,
            began: now,
            need: need?.joined(with: cached?.need)
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
            let cached = hold(credential, operation.need, lifetime: lifetime, fraction: fraction)
            completion = Completion(result: .success(cached), change: .replaced)
        case .success:
            // None is available: the old one stays, and because its version is unchanged, nothing is replayed.
            if operation.need == nil { unrefreshable = cached?.version }
            completion = Completion(result: unchanged, change: .kept)
        case .failure where !isRunning:
            return nil
        case .failure where operation.basis != cached?.version ?? 0:
            // A newer credential has arrived from an operation that was given up.
            completion = Completion(result: unchanged, change: .kept)
        case .failure(let error):
            completion = fail(error, operation.need, at: now)
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
        needWindow = window
        let new = hold(credential, nil, lifetime: nil, fraction: 0)
        if credential == nil { session = .signedOut }
        return new
    }

    /// Counts the beginning or the end of the source's processing of a sign-in or sign-out.
    mutating func addPendingReplacements(_ change: Int) { pendingReplacements += change }

    /// Attaches data to the credential, also over the result of an operation in progress.
    mutating func attach(_ attachment: Data) {
        if let held = cached, var credential = held.credential {
            credential.attachment = attachment
            cached = held.with(credential)
        }
        lastBeforeAttachment = lastOperation
    }

    /// Takes over the source's credential if it differs, also if there is none.
    /// - Returns: The new credential; `nil` if it is unchanged.
    mutating func reload(_ credential: Credential?) -> Cached? {
        switch (credential, cached?.credential) {
        case (nil, nil) where cached != nil: return nil
        case (var same?, let held?) where held.isSame(as: same):
            // The expiry here may be a corrected one.
            same.expiresAt = held.expiresAt
            cached = cached?.with(same)
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
        _ need: CredentialNeed?,
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
            margins: margins,
            // What another process got its credential for is unknown.
            need: credential?.isFromAnotherProcess ?? true ? nil : need
        )
        cached = new
        return new
    }

    private mutating func fail(
        _ error: any Error,
        _ need: CredentialNeed?,
        at now: Runtime.Instant
    ) -> Completion {
        if let error = error as? any SessionEndingError, error.endsSession, !error.canResume {
            session = .ended(error)
            return Completion(result: .failure(error), change: .sessionEnded)
        }
        // What one request needs and does not get delays no other.
        guard need == nil else { return Completion(result: .failure(error), change: .failed) }
        var failures = 1
        if case .failing(_, let earlier, _) = session { failures = earlier + 1 }
        let retryAfter = (error as? any ClassifiedError)?.classification.retryAfter ?? .zero
        let delay = max(
            policy.backoff.delay(after: failures, fraction: 1),
            min(retryAfter, RefreshPolicy.longestRetryAfter)
        )
        session = .failing(error, failures: failures, until: now.advanced(by: delay))
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
                    let held = cached?.credential?.attachment
                    let own = operation.id > lastBeforeAttachment ? credential.attachment : nil
                    credential.attachment = own ?? held
                }
                // No source issues expired credentials, so the clocks differ, and only a rejection can tell.
                if operation.isRefresh && credential.hasExpired(at: date) {
                    credential.expiresAt = nil
                }
                return .success(credential)
            } catch {
                cached = cached.map { $0.with($0.credential?.refreshable(as: credential)) }
                return .failure(error)
            }
        } catch is CancellationError {
            return .failure(TokenError.refreshCancelled)
        } catch {
            return .failure(error)
        }
    }
}
