public import InterceptorKit

/// Stores responses and reuses them by the rules of HTTP caches (RFC 9111, RFC 5861), over every transport.
///
/// ```swift
/// let cache = CacheInterceptor(partition: .oneIdentity)
/// let api = try HTTP.Client(transport: URLSessionTransport()) {
///     cache
///     RetryInterceptor(policy: .standard)
/// }
/// ```
///
/// Responses to `GET` are stored as their fields permit, and used for `GET` and `HEAD` while they are fresh; after
/// that, they are validated with the server. Requests that change a resource invalidate the stored responses of its
/// URL. A range is cut from a stored response; partial responses are never stored. `HTTP.Response.cacheStatus` says
/// what the cache did for a call, and events say why.
///
/// **Users.** A cache is private unless its policy says otherwise, and separates users by ``CachePartition``. By
/// default, it stores no response that sets a cookie, and none whose request got a credential below the cache unless
/// the response is `public`.
///
/// **Failures.** A body is stored while its reader reads it, and only if it arrives completely. A failing store never
/// fails a call. A cancelled call leaves nothing behind; a request that other calls wait for continues for them.
///
/// **Background work** happens only for `stale-while-revalidate`: at most one request per key at a time, as a separate
/// call limited by ``CachePolicy/revalidationLimit``.
///
/// Put it **outside** retries, tokens, breakers and limits, so that a hit bypasses them, and inside redirects, so that
/// each hop is stored separately.
public struct CacheInterceptor: Interceptor {
    let store: any CacheStore
    let rules: CacheRules
    let partition: CachePartition
    let fetches = InFlightFetches()
    private let metrics = CacheMetrics()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - store: The store of the responses. Defaults to the memory of this process.
    ///   - policy: The rules for storing and using responses. Defaults to the default policy.
    ///   - partition: The rule that separates users. Defaults to the credentials that the cache sees in a request.
    public init(
        store: some CacheStore = MemoryCacheStore(),
        policy: CachePolicy = CachePolicy(),
        partition: CachePartition = .visibleCredentials
    ) {
        self.store = store
        rules = CacheRules(policy: policy)
        self.partition = partition
    }

    public var placement: Placement? { .cache }

    public func validate() throws { try rules.policy.validate() }

    /// The cache's statistics so far.
    public var statistics: CacheStatistics { metrics.now }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.usesCache, CacheRequest.isAnswerable(chain.input),
            let key = key(chain.input, chain.call)
        else { return try await invalidating(chain) }
        return try await CacheHandler(self, chain, key).run()
    }

    /// Whether callers who are not known to be the same may share stored responses.
    var mayShareResponses: Bool {
        rules.policy.scope == .shared || !partition.coversCredentialsBelow
    }

    private func key(_ request: HTTP.Request, _ call: Call) -> CacheKey? {
        guard let url = CacheKey.url(of: request.url) else { return nil }
        if rules.policy.scope == .shared {
            return CacheKey(url: url, partition: CachePartition.key(ofHost: request))
        }
        return partition.key(request, call).map { CacheKey(url: url, partition: $0) }
    }

    /// Passes a request on, and removes the stored responses that it invalidates.
    private nonisolated(nonsending) func invalidating(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        for url in rules.invalidated(by: chain.input, response) {
            fetches.outdate(url)
            await trying(chain.call) { try await store.removeAll(for: url) }
            chain.call.emit(
                .cacheInvalidated,
                ["url": .text(chain.call.redaction.url(url))]
            )
        }
        return response
    }

    func count(_ change: (inout CacheStatistics) -> Void) {
        metrics.change(change)
    }

    /// Uses the store; a failure is reported and otherwise ignored.
    nonisolated(nonsending) func trying<Result>(
        _ call: Call,
        _ work: nonisolated(nonsending) () async throws -> Result
    ) async -> Result? {
        do {
            return try await work()
        } catch {
            recordFailure(error, call)
            return nil
        }
    }

    func recordFailure(_ error: any Error, _ call: Call) {
        count { $0.storeFailures += 1 }
        call.emit(.cacheStoreFailed, call.attributes(of: error))
    }
}

private enum UsesCache: PartitioningCallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call may use the cache and store its response. Defaults to `true`. Changes made by the call
    /// invalidate stored responses either way.
    ///
    /// For finer control, use the directives of `Cache-Control` in the request (RFC 9111 section 5.2.1):
    /// `no-cache` always asks the server, `only-if-cached` never does.
    public var usesCache: Bool {
        get { self[UsesCache.self] }
        set { self[UsesCache.self] = newValue }
    }
}

extension Event.Name {
    /// A stored response was used without asking the server: `age` in seconds, and `reason` if it was stale.
    public static let cacheHit: Self = "cache.hit"
    /// No stored response could be used: `reason`.
    public static let cacheMiss: Self = "cache.miss"
    /// The server confirmed that a stored response is still valid.
    public static let cacheValidated: Self = "cache.validated"
    /// A response was stored.
    public static let cacheStored: Self = "cache.stored"
    /// A response was not stored: `reason`.
    public static let cacheNotStored: Self = "cache.not_stored"
    /// A request changed a resource, and the stored responses for its URL were removed: `url`.
    public static let cacheInvalidated: Self = "cache.invalidated"
    /// The store failed, and the call continued without it: `error.type`, `error.message`.
    public static let cacheStoreFailed: Self = "cache.store_failed"
}
