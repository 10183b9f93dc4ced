public import InterceptorKit

/// Limits the rate of calls by a limit that all replicas of a service share.
///
/// ```swift
/// SharedRateLimitInterceptor(store, quota: RateLimitQuota(100))
/// ```
///
/// Each call takes a permit of its key, by default that of its caller (`Call.principal`); a heavy call takes several
/// (`Call.permits`). On a server, put it below the interceptor that identifies the caller; in a client, put it inside
/// the retry, so that each attempt counts.
///
/// A call that gets no permit fails with a `LimitError` of the code `rate`, for which a server responds 429 with
/// `Retry-After`. With a `longestWait`, it waits instead if its permit comes within that time and its deadline.
///
/// **When the store is unavailable**, or does not respond within the `timeout`, the ``RateLimitOutagePolicy`` decides,
/// and an event `store.unavailable` reports it. The default is `.closed`: calls fail with a `LimitError` of the code
/// `unavailable`, for which a server responds 503, because an outage of the store does not make the limited resource
/// stronger. `.local(replicas:)` keeps serving within the quota if you know the number of replicas.
public struct SharedRateLimitInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that returns the key of a call, or `nil` for a call that is not limited.
    public typealias Key = @Sendable (_ input: Input, _ call: Call) throws -> String?

    private let store: any RateLimitStore
    private let name: String
    private let quota: RateLimitQuota
    private let longestWait: Duration
    private let timeout: Duration
    private let policy: RateLimitOutagePolicy
    private let key: Key
    /// The limits while the store is unavailable.
    private let local: MemoryRateLimitStore

    /// Creates an interceptor.
    /// - Parameters:
    ///   - store: The store that the replicas share.
    ///   - name: The name of the limit, distinct from others in the store and shown in errors. Defaults to `calls`.
    ///   - quota: The quota of each key.
    ///   - longestWait: The longest wait for a permit, up to ``RateLimitQuota/longestWait``. Defaults to zero: a call
    ///     without a permit fails at once.
    ///   - timeout: The longest time for the store's response. Defaults to 1 s.
    ///   - policy: The behaviour while the store is unavailable. Defaults to `.closed`.
    ///   - key: Returns the key of a call, such as its caller, its operation, or both; `nil` for a call that is not
    ///     limited. Defaults to the id of `Call.principal`; without one, a call ends with a `SettingError`.
    public init(
        _ store: some RateLimitStore,
        name: String = "calls",
        quota: RateLimitQuota,
        longestWait: Duration = .zero,
        timeout: Duration = .seconds(1),
        whenUnavailable policy: RateLimitOutagePolicy = .closed,
        key: Key? = nil
    ) {
        self.store = store
        self.name = name
        self.quota = quota
        self.longestWait = longestWait
        self.timeout = timeout
        self.policy = policy
        self.key = key ?? { _, call in try call.principalID(for: "SharedRateLimitInterceptor.key") }
        local = MemoryRateLimitStore()
    }

    public func validate() throws {
        try quota.validate()
        let check = SettingCheck(of: "SharedRateLimitInterceptor")
        try check.within(.zero...RateLimitQuota.longestWait, "longestWait", longestWait)
        try check.positive("timeout", timeout)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let call = chain.call
        guard let key = try key(chain.input, call) else { return try await chain.proceed() }
        try call.checkPermits(upTo: quota.burst, "RateLimitQuota.burst")
        // The name comes first, with its length, so that no two limits share a key.
        let fullKey = "\(name.utf8.count):\(name):\(key)"
        let wait = min(longestWait, call.remaining ?? longestWait)
        switch try await decide(fullKey, wait, call) {
        case .rejected(let retryAfter):
            throw reject(.rate, retryAfter, call)
        case .admitted(let delay, _):
            if delay > .zero { try await pause(for: delay, call) }
            return try await chain.proceed()
        }
    }

    private nonisolated(nonsending) func decide(
        _ key: String,
        _ wait: Duration,
        _ call: Call
    ) async throws -> RateLimitDecision {
        do {
            let permits = call.permits
            let decision = try await call.runtime.withStoreTimeout(timeout) { [store, quota] in
                try await store.take(permits, of: quota, for: key, waitingAtMost: wait)
            }
            if case .admitted(let delay, _) = decision, delay > max(wait, .zero) {
                throw StoreError(
                    .malformedRecord,
                    "The store lets the call wait for \(delay.formattedSeconds), and was asked for at most "
                        + "\(wait.formattedSeconds). Look at what it holds for the limit \"\(name)\"."
                )
            }
            return decision
        } catch {
            try Task.checkCancellation()
            report(error, call)
        }
        switch policy.kind {
        case .closed:
            throw reject(.unavailable, nil, call)
        case .open:
            return .admitted(after: .zero, remaining: 0)
        case .local(let replicas):
            let share = quota.share(of: replicas)
            // A call that takes more than this replica's share takes all of it.
            let permits = min(call.permits, share.burst)
            let now = call.runtime.now
            do {
                return try local.take(permits, of: share, for: key, waitingAtMost: wait, at: now)
            } catch {
                throw reject(.unavailable, nil, call)
            }
        }
    }

    private nonisolated(nonsending) func pause(for delay: Duration, _ call: Call) async throws {
        call.emit(.limitWaited, ["limit": .text(name), "delay": .duration(delay)])
        try await call.activity(.wait, "its turn by a shared rate limit") { call in
            try await call.runtime.sleep(for: delay)
        }
    }

    private func report(_ error: any Error, _ call: Call) {
        guard call.isObserved else { return }
        var attributes = call.attributes(of: error)
        attributes["store"] = .text("\(type(of: store))")
        attributes["policy"] = .text("\(policy)")
        call.emit(.storeUnavailable, attributes)
    }

    private func reject(
        _ code: LimitError.Code,
        _ retryAfter: Duration?,
        _ call: Call
    ) -> LimitError {
        var attributes: Event.Attributes = ["reason": .text("\(code)"), "limit": .text(name)]
        attributes.retryAfter = retryAfter
        call.emit(.limitRejected, attributes)
        let reason =
            code == .rate
            ? "The shared rate limit \"\(name)\" has no permit for this call for another "
                + "\((retryAfter ?? .zero).formattedSeconds). Nothing was sent."
            : "The store of the shared rate limit \"\(name)\" cannot be asked, so the call was rejected. Nothing was "
                + "sent. Try again later."
        return LimitError(code, nil, retryAfter: retryAfter, reason)
    }
}

extension SharedRateLimitInterceptor: CustomStringConvertible {
    /// The interceptor as text, as in `SharedRateLimitInterceptor("calls", 100 in 1 s)`.
    public var description: String {
        "SharedRateLimitInterceptor(\"\(name)\", \(quota.count) in \(quota.period.formattedSeconds))"
    }
}
