#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CredentialState {
    /// What a operation came to.
    struct Completion {
        enum Change { case replaced, kept, failed, sessionEnded }

        /// The result for all that wait for the operation, or for an earlier one.
        var result: Result<Cached, any Error>
        var change: Change
        /// For tasks that wait for the next operation: that operation, or the error that prevents it. `nil`
        /// if none waits.
        var next: Result<Operation, any Error>?
    }

    /// Takes a operation's result.
    /// - Returns: `nil` if nobody wants it any more.
    mutating func finish(
        _ operation: Operation,
        _ result: Result<Credential?, any Error>,
        at now: Runtime.Instant,
        _ date: Date,
        fraction: Double
    ) -> Completion? {
        guard isWanted(operation) else { return nil }
        let isRunning = running?.id == operation.id
        if isRunning { running = nil }
        var completion: Completion
        switch checked(result, of: operation, date) {
        case .success(let credential) where credential != nil || !operation.isRefresh:
            lastSuccess = operation.id
            if operation.isRefresh, rejected == operation.basis { window.note(now) }
            let lifetime = operation.isRefresh ? credential?.secondsLeft(at: date) : nil
            let cached = hold(credential, lifetime: lifetime, fraction: fraction)
            completion = Completion(result: .success(cached), change: .replaced)
        case .success:
            // None is available: the old one stays, and with its version unchanged nothing is replayed.
            unrefreshable = cached?.version
            completion = Completion(result: kept, change: .kept)
        case .failure where !isRunning:
            return nil
        case .failure where operation.basis != cached?.version ?? 0:
            // A operation that was given up has brought a newer one meanwhile.
            completion = Completion(result: kept, change: .kept)
        case .failure(let error):
            completion = fail(error, at: now)
        }
        if isRunning && isAnotherWanted { completion.next = another(at: now, date) }
        return completion
    }

    /// Whether a operation's result would be used.
    func isWanted(_ operation: Operation) -> Bool {
        operation.epoch == epoch && (running?.id == operation.id || operation.id > lastSuccess)
    }

    /// Replaces the credential, possibly with none.
    mutating func replace(with credential: Credential?) -> Cached {
        epoch += 1
        running = nil
        isAnotherWanted = false
        isSignedOut = credential == nil
        window = RefreshWindow(limit: policy.limit, length: policy.window)
        return hold(credential, lifetime: nil, fraction: 0)
    }

    /// Takes over what the source holds, if that is another credential or none.
    /// - Returns: What is there now; `nil` if it is what was there.
    mutating func reload(_ credential: Credential?) -> Cached? {
        switch (credential, cached?.credential) {
        case (nil, nil) where cached != nil: return nil
        case (var same?, let held?) where held.isSame(as: same):
            // The expiry may have been corrected here.
            same.expiresAt = held.expiresAt
            cached?.credential = same
            return nil
        default:
            let new = replace(with: credential)
            // Nobody signed out here, so the source is asked as it is before a sign-in.
            isSignedOut = false
            return new
        }
    }

    private var kept: Result<Cached, any Error> {
        .success(cached ?? Cached(credential: nil, version: 0))
    }

    private mutating func hold(
        _ credential: Credential?,
        lifetime: Double?,
        fraction: Double
    ) -> Cached {
        pause = nil
        ended = nil
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
            ended = error
            return Completion(result: .failure(error), change: .sessionEnded)
        }
        let failures = (pause?.failures ?? 0) + 1
        let wish = (error as? any ClassifiedError)?.classification.retryAfter ?? .zero
        let delay = max(
            policy.backoff.delay(after: failures, fraction: 1),
            min(wish, RefreshPolicy.longestRetryAfter)
        )
        pause = Pause(error: error, failures: failures, end: now.advanced(by: delay))
        return Completion(result: .failure(error), change: .failed)
    }

    private mutating func another(
        at now: Runtime.Instant,
        _ date: Date
    ) -> Result<Operation, any Error> {
        switch action(for: .fresh, at: now, date) {
        case .begin(let operation): .success(operation)
        case .refuse(let error): .failure(error)
        // Nothing runs, and nothing that is held is fresh.
        case .use, .wait: .failure(absenceError)
        }
    }

    /// The result if it can be used; of what cannot, only the means to refresh it are taken over.
    private mutating func checked(
        _ result: Result<Credential?, any Error>,
        of operation: Operation,
        _ date: Date
    ) -> Result<Credential?, any Error> {
        do {
            guard var credential = try result.get() else { return .success(nil) }
            do {
                try credential.validate()
                // Another process' credential may be another user's.
                if operation.isRefresh && !credential.isFromAnotherProcess {
                    credential.attachment = credential.attachment ?? cached?.credential?.attachment
                }
                // None is given out expired: the clocks differ, so a rejection has to tell.
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
