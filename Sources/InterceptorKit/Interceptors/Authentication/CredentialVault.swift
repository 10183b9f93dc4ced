import InterceptorKitConcurrency
import Synchronization

/// Holds one credential for any number of calls and renews it once for all of them.
///
/// ``Renewal`` decides; this keeps it under a lock, makes calls wait and runs the source. A renewal
/// runs in a task of the runtime's own and is never cancelled, because a server may have rotated the
/// token already; those who wait for it leave when they are cancelled or out of time.
final class CredentialVault: Sendable {
    private struct State {
        var renewal: Renewal
        var waiters = RenewalWaiters()
    }

    private let source: any CredentialSource
    private let waitLimit: Duration
    private let state: Lock<State>

    init(source: any CredentialSource, policy: RenewalPolicy) {
        self.source = source
        waitLimit = policy.waitLimit
        state = Lock(State(renewal: Renewal(policy)))
    }

    /// Whether the calling task is this vault's renewal, whose own requests must not wait for it.
    var isRenewingHere: Bool { RenewalScope.vaults.contains(ObjectIdentifier(self)) }

    /// Why there is no credential, if there is none.
    var absence: any Error { state.withLock { $0.renewal.absence } }

    /// The credential to send with now: loaded if it never was, renewed if it is about to expire.
    ///
    /// One that is near its end is used, and renewed in the background.
    nonisolated(nonsending) func current(for call: Call) async throws -> Renewal.Held {
        if let held = lookUp(call) { return held }
        do {
            // Loaded for the first time, it may be about to expire.
            _ = try await wait(for: .any, call)
            if let held = lookUp(call) { return held }
            return try await wait(for: .usable, call)
        } catch let error where !(error is CancellationError) {
            let date = call.runtime.date
            guard let held = state.withLock({ $0.renewal.lastResort(at: date) }) else {
                throw error
            }
            return held
        }
    }

    private func lookUp(_ call: Call) -> Renewal.Held? {
        let now = call.runtime.now
        let date = call.runtime.date
        let (usable, job) = state.withLock { state in
            let usable = state.renewal.satisfaction(of: .usable, at: now, date)
            return (usable, state.renewal.jobAhead(at: now, date))
        }
        if let job { begin(job, call) }
        return usable
    }

    /// The credential in place of one that was rejected.
    nonisolated(nonsending) func renewed(
        after rejected: Renewal.Held,
        for call: Call
    ) async throws -> Renewal.Held {
        state.withLock { $0.renewal.reject(rejected.version) }
        return try await wait(for: .newer(than: rejected.version), call)
    }

    /// A credential by a renewal that begins after this was asked for.
    nonisolated(nonsending) func fresh(for call: Call) async throws -> Renewal.Held {
        _ = try await wait(for: .any, call)
        return try await wait(for: .fresh, call)
    }

    /// What took a credential's place while its user was woken or did something else; it, if nothing.
    func latest(since given: Renewal.Held) -> Renewal.Held {
        let latest = state.withLock { $0.renewal.held }
        return latest.map { $0.version > given.version ? $0 : given } ?? given
    }

    /// Begins to renew a rejected credential; nobody waits for it.
    func beginRenewal(after rejected: Renewal.Held, for call: Call) {
        let now = call.runtime.now
        let date = call.runtime.date
        let answer = state.withLock { state in
            state.renewal.reject(rejected.version)
            return state.renewal.answer(.newer(than: rejected.version), at: now, date)
        }
        if case .begin(let job) = answer { begin(job, call) }
    }

    /// Puts a credential, or none, in place of whatever there is, and has the source keep or forget it.
    nonisolated(nonsending) func replace(with credential: Credential?) async throws {
        try credential?.validate()
        let (held, waiters) = state.withLock { state in
            (state.renewal.replace(with: credential), state.waiters.takeAll())
        }
        for waiter in waiters { waiter.resume(with: .success(held)) }
        try await source.replace(with: credential)
    }
}

extension CredentialVault {
    private nonisolated(nonsending) func wait(
        for demand: Renewal.Demand,
        _ call: Call
    ) async throws -> Renewal.Held {
        let now = call.runtime.now
        let date = call.runtime.date
        let known = state.withLock { $0.renewal.satisfaction(of: demand, at: now, date) }
        if let known { return known }
        let id = state.withLock { $0.waiters.nextID() }
        let wait = call.beginWait(
            for: "a credential renewal for call \(call.id)",
            from: "TokenInterceptor"
        )
        defer { wait.end() }
        let given = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(id, RenewalWaiter(continuation), demand, call)
            }
        } onCancel: {
            leave(id, with: CancellationError())
        }
        return latest(since: given)
    }

    private func enter(
        _ id: Int,
        _ waiter: RenewalWaiter,
        _ demand: Renewal.Demand,
        _ call: Call
    ) {
        let now = call.runtime.now
        let date = call.runtime.date
        var waiter = waiter
        let answer = state.withLock { state -> Renewal.Answer in
            if Task.isCancelled { return .refuse(CancellationError()) }
            let answer = state.renewal.answer(demand, at: now, date)
            switch answer {
            case .use, .refuse: return answer
            case .wait(let job): waiter.job = job
            case .begin(let job): waiter.job = job.id
            }
            state.waiters[id] = waiter
            return answer
        }
        switch answer {
        case .use(let held):
            waiter.resume(with: .success(held))
        case .refuse(let error):
            waiter.resume(with: .failure(error))
        case .wait:
            limitWait(of: id, call)
        case .begin(let job):
            limitWait(of: id, call)
            begin(job, call)
        }
    }

    private func limitWait(of id: Int, _ call: Call) {
        let limit = min(waitLimit, call.remaining ?? waitLimit)
        let timer = call.runtime.timer(
            at: call.runtime.now.advanced(by: limit),
            "time limit of a wait for a credential"
        ) { [weak self] in
            self?.leave(id, with: TokenError.renewalTimedOut)
        }
        let isGone = state.withLock { state in
            state.waiters[id]?.timeLimit = timer
            return state.waiters[id] == nil
        }
        if isGone { timer.cancel() }
    }

    private func leave(_ id: Int, with error: any Error) {
        let waiter = state.withLock { state in
            defer { state.waiters[id] = nil }
            return state.waiters[id]
        }
        waiter?.resume(with: .failure(error))
    }
}

extension CredentialVault {
    private func begin(_ job: Renewal.Job, _ call: Call) {
        if job.isRefresh { call.emit(.refreshStarted, from: "TokenInterceptor") }
        // The handle is not kept: a renewal that was sent always runs to its end.
        _ = call.runtime.start("credential renewal") { [self] in
            // A session that was over before its renewal began has nothing to be renewed.
            guard state.withLock({ $0.renewal.isWanted(job) }) else {
                call.report(nil, of: job)
                return
            }
            let scope = RenewalScope.vaults + [ObjectIdentifier(self)]
            let result: Result<Credential?, any Error>
            do {
                let credential = try await RenewalScope.$vaults.withValue(scope) {
                    switch job.work {
                    case .load: try await source.load()
                    case .refresh(let rejected): try await refresh(rejected, call.runtime)
                    }
                }
                result = .success(credential)
            } catch {
                result = .failure(error)
            }
            finish(job, result, call)
        }
    }

    /// Refreshes a credential, and what another process had put in its place if that has expired too.
    private nonisolated(nonsending) func refresh(
        _ rejected: Credential?,
        _ runtime: Runtime
    ) async throws -> Credential? {
        let refreshed = try await source.refresh(rejected)
        guard let refreshed, refreshed.isTakenOver, refreshed.hasExpired(at: runtime.date) else {
            return refreshed
        }
        return try await source.refresh(refreshed) ?? refreshed
    }

    private func finish(
        _ job: Renewal.Job,
        _ result: Result<Credential?, any Error>,
        _ call: Call
    ) {
        let runtime = call.runtime
        let (now, date, fraction) = (runtime.now, runtime.date, runtime.randomFraction())
        let (settlement, waiters, refused) = state.withLock { state in
            let settlement = state.renewal.finish(job, result, at: now, date, fraction: fraction)
            let waiters = settlement == nil ? [] : state.waiters.take(upTo: job.id)
            // Those who asked for the next one are left if it cannot begin.
            var refused: [RenewalWaiter] = []
            if case .failure? = settlement?.next { refused = state.waiters.takeAll() }
            return (settlement, waiters, refused)
        }
        call.report(settlement, of: job)
        guard let settlement else { return }
        for waiter in waiters { waiter.resume(with: settlement.result) }
        switch settlement.next {
        case .success(let job): begin(job, call)
        case .failure(let error): for waiter in refused { waiter.resume(with: .failure(error)) }
        case nil: break
        }
    }
}
