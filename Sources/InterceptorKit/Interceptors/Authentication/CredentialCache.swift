import InterceptorKitConcurrency
import Synchronization

/// Keeps the credential of a source, and refreshes it before it expires, once for all callers.
///
/// A ``TokenInterceptor`` has a cache and attaches its credential. Use a cache yourself for code that sends a
/// credential in another way, such as an interceptor of your own or a store of keys that expire, and for several
/// interceptors that share one credential (``TokenInterceptor/init(_:cache:origins:classifier:)``).
///
/// ```swift
/// struct LeasedKeys: SigningKeyStore {
///     private let runtime: Runtime
///     private let leases: CredentialCache
///
///     init(_ service: KeyService, runtime: Runtime = .live) {
///         self.runtime = runtime
///         leases = CredentialCache(
///             source: RefreshableCredentialSource { _ in try await service.lease() }
///         )
///     }
///
///     func key(id: String?) async throws -> SigningKey? {
///         let lease = try await leases.credential(for: Call(runtime: runtime))
///         return lease?.fields.first.map { SigningKey(id: $0.name, secret: $0.value.utf8) }
///     }
/// }
/// ```
///
/// A cache knows no origins: send the credential only to its service, and register the fields that carry it with
/// ``Call/credentialFields(adding:)``.
///
/// A credential near its expiry is still used, and is refreshed in the background. A call waits only for the first
/// credential, or if the expiry is too near; the ``RefreshPolicy`` has these times. If a refresh gets no other
/// credential, the old one is used until it expires. A refresh runs in a task of the runtime and is never cancelled,
/// because a server may already have rotated the token; a call that waits for it stops waiting when it is cancelled or
/// out of time. The events are those of a ``TokenInterceptor``.
public final class CredentialCache: Sendable {
    // `CredentialState` decides; this class locks it, makes calls wait and runs the source.
    private struct State {
        var credentialState: CredentialState
        var waiters = WaiterQueue<RefreshWaiter>()
    }

    let source: any CredentialSource
    private let waitLimit: Duration
    private let state: Lock<State>
    // Sign-ins and sign-outs reach the source one at a time.
    let replacements = AsyncMutex()

    /// Creates an empty cache with the standard policy.
    /// - Parameter source: The source of the credentials.
    public convenience init(source: some CredentialSource) {
        self.init(source, validated: .standard)
    }

    /// Creates an empty cache.
    /// - Parameters:
    ///   - source: The source of the credentials.
    ///   - policy: The rules for when to refresh and how long to wait.
    /// - Throws: `SettingError` if the policy is invalid.
    public convenience init(
        source: some CredentialSource,
        policy: RefreshPolicy
    ) throws(SettingError) {
        try policy.validate()
        self.init(source, validated: policy)
    }

    init(_ source: any CredentialSource, validated policy: RefreshPolicy) {
        self.source = source
        waitLimit = policy.waitLimit
        state = Lock(State(credentialState: CredentialState(policy)))
    }

    /// Returns the credential to use now: loaded first if it never was, and refreshed first if it is about to expire.
    ///
    /// An expired credential is returned if the source has no other.
    /// - Parameters:
    ///   - call: The call that needs the credential. Its deadline limits the wait.
    ///   - rejected: The credential that a server rejected, to wait for another one. Defaults to none.
    ///   - response: The server's rejection, for a source that can bring what it asks for
    ///     (``CredentialSource/need(in:of:)``). Defaults to none.
    /// - Returns: `nil` if the source has none or no other than the rejected one, after a sign-out, and for requests
    ///   that the source itself sends to get a credential.
    /// - Throws: The source's error, ``TokenError`` if no credential came in time, or `CancellationError`.
    public nonisolated(nonsending) func credential(
        for call: Call,
        after rejected: Credential? = nil,
        rejectedBy response: HTTP.Response? = nil
    ) async throws -> Credential? {
        guard !isRefreshingHere else { return nil }
        let cached = try await current(for: call)
        if let credential = cached.credential, !(rejected?.isSame(as: credential) ?? false) {
            return credential
        }
        let need = response.flatMap { source.need(in: $0, of: call) }
        let context = RefreshContext(call: call, response: response, need: need)
        let refreshed = try await refreshed(after: cached, context)
        return refreshed.version == cached.version ? nil : refreshed.credential
    }

    /// The policy, which may not have been validated.
    var policy: RefreshPolicy { read(\.policy) }

    var absenceError: any Error { read(\.absenceError) }

    /// Returns the credential to send with now, after a load or refresh if necessary.
    nonisolated(nonsending) func current(
        for call: Call,
        _ requirement: CredentialState.Requirement = .usable
    ) async throws -> CredentialState.Cached {
        if let cached = lookUp(requirement, call) { return cached }
        do {
            // A newly loaded credential may be about to expire.
            _ = try await wait(for: .any, RefreshContext(call: call))
            if let cached = lookUp(requirement, call) { return cached }
            return try await wait(for: requirement, RefreshContext(call: call))
        } catch let error where !(error is CancellationError) {
            let date = call.runtime.date
            guard let cached = state.withLock({ $0.credentialState.stillAccepted(at: date) }) else {
                throw error
            }
            return cached
        }
    }

    /// Returns the credential if it meets a requirement now, and begins its refresh in the background if it is time.
    func lookUp(
        _ requirement: CredentialState.Requirement,
        _ call: Call
    ) -> CredentialState.Cached? {
        let now = call.runtime.now
        let date = call.runtime.date
        let (usable, operation) = state.withLock { state in
            let usable = state.credentialState.match(for: requirement, at: now, date)
            return (usable, state.credentialState.backgroundOperation(at: now, date))
        }
        if let operation { begin(operation, RefreshContext(call: call)) }
        return usable
    }

    /// Returns the credential that replaces a rejected one.
    nonisolated(nonsending) func refreshed(
        after rejected: CredentialState.Cached,
        _ context: RefreshContext
    ) async throws -> CredentialState.Cached {
        try await wait(for: .newer(than: rejected.version, for: context.need), context)
    }

    /// Returns a credential from a refresh that begins after this call.
    nonisolated(nonsending) func fresh(for call: Call) async throws -> CredentialState.Cached {
        _ = try await wait(for: .any, RefreshContext(call: call))
        return try await wait(for: .fresh, RefreshContext(call: call))
    }

    /// Returns the current credential if it is newer than the given one, and otherwise the given one.
    func latest(since given: CredentialState.Cached) -> CredentialState.Cached {
        let latest = state.withLock { $0.credentialState.cached }
        return latest.map { $0.version > given.version ? $0 : given } ?? given
    }

    /// Begins to refresh a rejected credential, without waiting.
    func beginRefresh(after rejected: CredentialState.Cached, _ context: RefreshContext) {
        let runtime = context.call.runtime
        let (now, date) = (runtime.now, runtime.date)
        let requirement = CredentialState.Requirement.newer(
            than: rejected.version,
            for: context.need
        )
        let action = state.withLock { state in
            state.credentialState.action(for: requirement, at: now, date)
        }
        if case .begin(let operation) = action { begin(operation, context) }
    }

    func read<Value>(_ read: (CredentialState) -> Value) -> Value {
        state.withLock { read($0.credentialState) }
    }

    /// Changes the state.
    /// - Parameter change: Returns the new credential, with which all waiting calls continue; `nil` for no change.
    func change(_ change: (inout CredentialState) -> CredentialState.Cached?) {
        let (cached, waiters) = state.withLock { state in
            let cached = change(&state.credentialState)
            return (cached, cached == nil ? [] : state.waiters.removeAll())
        }
        guard let cached else { return }
        for waiter in waiters { waiter.task.resume(returning: cached) }
    }
}

extension CredentialCache {
    private nonisolated(nonsending) func wait(
        for requirement: CredentialState.Requirement,
        _ context: RefreshContext
    ) async throws -> CredentialState.Cached {
        let call = context.call
        let now = call.runtime.now
        let date = call.runtime.date
        let known = state.withLock { $0.credentialState.match(for: requirement, at: now, date) }
        if let known { return known }
        return try await call.keepingDeadline { call in
            let context = RefreshContext(call: call, response: context.response, need: context.need)
            return try await self.waitForRefresh(requirement, context)
        }
    }

    private nonisolated(nonsending) func waitForRefresh(
        _ requirement: CredentialState.Requirement,
        _ context: RefreshContext
    ) async throws -> CredentialState.Cached {
        let call = context.call
        let now = call.runtime.now
        let wait = call.beginWait(for: "a credential refresh for call \(call.id)")
        defer { wait.end() }
        let end = now.advanced(by: min(waitLimit, call.remaining ?? waitLimit))
        while true {
            try Task.checkCancellation()
            let task = Waiter<CredentialState.Cached?, any Error>()
            let (action, number) = enter(task, requirement, call)
            switch action {
            case .use(let cached): return latest(since: cached)
            case .refuse(let error): throw error
            case .wait: break
            case .begin(let operation): begin(operation, context)
            }
            let given = try await task.value(
                until: end,
                on: call.runtime,
                "time limit of a wait for a credential"
            ) {
                leave(number, with: CancellationError())
            } onLimit: { [weak self] in
                self?.leave(number, with: TokenError.refreshTimedOut)
            }
            // An even newer one may lack what this call needs.
            if let given { return requirement.need == nil ? latest(since: given) : given }
        }
    }

    private func enter(
        _ task: Waiter<CredentialState.Cached?, any Error>,
        _ requirement: CredentialState.Requirement,
        _ call: Call
    ) -> (CredentialState.Action, number: Int) {
        let now = call.runtime.now
        let date = call.runtime.date
        return state.withLock { state in
            let action = state.credentialState.action(for: requirement, at: now, date)
            let operation: Int
            switch action {
            case .use, .refuse: return (action, 0)
            case .wait(let awaited): operation = awaited
            case .begin(let begun): operation = begun.id
            }
            let need = requirement.need
            let waiter = RefreshWaiter(task: task, operation: operation, need: need)
            return (action, state.waiters.join(waiter))
        }
    }

    private func leave(_ number: Int, with error: any Error) {
        state.withLock { $0.waiters.leave(number) }?.task.resume(throwing: error)
    }
}

extension CredentialCache {
    private func begin(_ operation: CredentialState.Operation, _ begun: RefreshContext) {
        let call = begun.call.withoutLimits
        let context = RefreshContext(call: call, response: begun.response, need: begun.need)
        if operation.isRefresh { call.emit(.refreshStarted) }
        // No handle is kept, because a refresh that was sent always runs to its end.
        _ = call.runtime.start("credential refresh") { [self] in
            // A session that ended before its refresh began needs none.
            guard state.withLock({ $0.credentialState.isWanted(operation) }) else {
                call.report(nil, of: operation)
                return
            }
            let result: Result<Credential?, any Error>
            do {
                let credential = try await scoped {
                    switch operation.work {
                    case .load: try await source.load()
                    case .refresh(let rejected): try await refresh(rejected, context.of(operation))
                    }
                }
                result = .success(credential)
            } catch {
                result = .failure(error)
            }
            finish(operation, result, call)
        }
    }

    /// Refreshes a credential, and once more if the result is another process's and has expired.
    private nonisolated(nonsending) func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        let refreshed = try await source.refresh(rejected, context)
        guard let refreshed, refreshed.isFromAnotherProcess,
            refreshed.hasExpired(at: context.call.runtime.date)
        else { return refreshed }
        return try await source.refresh(refreshed, context) ?? refreshed
    }

    private func finish(
        _ operation: CredentialState.Operation,
        _ result: Result<Credential?, any Error>,
        _ call: Call
    ) {
        let runtime = call.runtime
        let (now, date, fraction) = (runtime.now, runtime.date, runtime.randomFraction())
        let (completion, waiters, refused) = state.withLock { state in
            let completion = state.credentialState.finish(
                operation,
                result,
                at: now,
                date,
                fraction: fraction
            )
            let waiters =
                completion == nil
                ? [] : state.waiters.removeAll { waiter in waiter.operation <= operation.id }
            // If the next refresh cannot begin, the calls that wait for it are refused.
            var refused: [RefreshWaiter] = []
            if case .failure? = completion?.next { refused = state.waiters.removeAll() }
            return (completion, waiters, refused)
        }
        call.report(completion, of: operation)
        guard let completion else { return }
        for waiter in waiters {
            waiter.task.resume(with: completion.result(for: waiter.need, of: operation))
        }
        switch completion.next {
        case .success(let operation): begin(operation, RefreshContext(call: call))
        case .failure(let error): for waiter in refused { waiter.task.resume(throwing: error) }
        case nil: break
        }
    }
}

private struct RefreshWaiter {
    /// Resumed with `nil` if the operation decided nothing about what the call needs.
    let task: Waiter<CredentialState.Cached?, any Error>
    /// The operation that the call waits for; the end of a later one serves too.
    let operation: Int
    let need: CredentialNeed?
}
