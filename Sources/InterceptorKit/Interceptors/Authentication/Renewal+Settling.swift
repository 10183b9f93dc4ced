#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Renewal {
    /// What a job came to.
    struct Settlement {
        enum Change { case replaced, kept, failed, sessionEnded }

        /// For all who wait for the job, or for an earlier one.
        var result: Result<Held, any Error>
        var change: Change
        /// For those who wait for the next one: that job, or why there is none. `nil` if nobody does.
        var next: Result<Job, any Error>?
    }

    /// Takes a job's result.
    /// - Returns: `nil` if nobody wants it any more.
    mutating func finish(
        _ job: Job,
        _ result: Result<Credential?, any Error>,
        at now: Runtime.Instant,
        _ date: Date,
        fraction: Double
    ) -> Settlement? {
        guard isWanted(job) else { return nil }
        let isRunning = running?.id == job.id
        if isRunning { running = nil }
        var settlement: Settlement
        switch checked(result, of: job, date) {
        case .success(let credential) where credential != nil || !job.isRefresh:
            lastSuccess = job.id
            if job.isRefresh { window.note(now) }
            let lifetime = job.isRefresh ? credential?.secondsLeft(at: date) : nil
            let held = hold(credential, lifetime: lifetime, fraction: fraction)
            settlement = Settlement(result: .success(held), change: .replaced)
        case .success:
            // None to be had: the old one stays, and with its version unchanged nothing is replayed.
            barren = held?.version
            settlement = Settlement(result: kept, change: .kept)
        case .failure where !isRunning:
            return nil
        case .failure where job.basis != held?.version ?? 0:
            // A job that was given up has brought a newer one meanwhile.
            settlement = Settlement(result: kept, change: .kept)
        case .failure(let error):
            settlement = fail(error, at: now)
        }
        if isRunning && isAnotherWanted { settlement.next = another(at: now, date) }
        return settlement
    }

    /// Whether a job's result would be used.
    func isWanted(_ job: Job) -> Bool {
        job.epoch == epoch && (running?.id == job.id || job.id > lastSuccess)
    }

    /// Puts a credential, or none, in place of whatever there is.
    mutating func replace(with credential: Credential?) -> Held {
        epoch += 1
        running = nil
        isAnotherWanted = false
        isSignedOut = credential == nil
        window = RenewalWindow(limit: policy.limit, length: policy.window)
        return hold(credential, lifetime: nil, fraction: 0)
    }

    private var kept: Result<Held, any Error> {
        .success(held ?? Held(credential: nil, version: 0))
    }

    private mutating func hold(
        _ credential: Credential?,
        lifetime: Double?,
        fraction: Double
    ) -> Held {
        pause = nil
        ended = nil
        let margins = credential?.expiresAt.map { _ in
            RenewalMargins(policy, lifetime: lifetime, fraction: fraction)
        }
        let new = Held(
            credential: credential,
            version: (held?.version ?? 0) + 1,
            margins: margins
        )
        held = new
        return new
    }

    private mutating func fail(_ error: any Error, at now: Runtime.Instant) -> Settlement {
        if (error as? any SessionEndingError)?.endsSession ?? false {
            ended = error
            return Settlement(result: .failure(error), change: .sessionEnded)
        }
        let failures = (pause?.failures ?? 0) + 1
        let delay = policy.backoff.delay(after: failures, fraction: 1)
        pause = Pause(error: error, failures: failures, end: now.advanced(by: delay))
        return Settlement(result: .failure(error), change: .failed)
    }

    private mutating func another(
        at now: Runtime.Instant,
        _ date: Date
    ) -> Result<Job, any Error> {
        switch answer(.fresh, at: now, date) {
        case .begin(let job): .success(job)
        case .refuse(let error): .failure(error)
        // Nothing runs, and nothing that is held is fresh.
        case .use, .wait: .failure(absence)
        }
    }

    /// The result if it can be used; of what cannot, only the means to renew it are taken over.
    private mutating func checked(
        _ result: Result<Credential?, any Error>,
        of job: Job,
        _ date: Date
    ) -> Result<Credential?, any Error> {
        do {
            guard var credential = try result.get() else { return .success(nil) }
            do {
                try credential.validate()
                // None is given out expired: the clocks differ, so a rejection has to tell.
                if job.isRefresh && credential.hasExpired(at: date) { credential.expiresAt = nil }
                return .success(credential)
            } catch {
                let old = held?.credential
                held?.credential = old?.renewable(as: credential)
                return .failure(error)
            }
        } catch is CancellationError {
            return .failure(TokenError.renewalCancelled)
        } catch {
            return .failure(error)
        }
    }
}
