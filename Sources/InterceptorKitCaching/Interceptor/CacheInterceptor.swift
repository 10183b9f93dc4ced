public import InterceptorKit

/// Answers from stored responses, as HTTP caches do (RFC 9111, RFC 5861), over every transport.
///
/// ```swift
/// let cache = CacheInterceptor(partition: .oneIdentity)
/// let api = try HTTP.Client(transport: URLSessionTransport()) {
///     cache
///     RetryInterceptor(policy: .standard)
/// }
/// ```
///
/// Responses to `GET` are stored as they say themselves, and served to `GET` and `HEAD` while they are
/// fresh; then the server is asked whether they still hold. Requests that change something make what is
/// stored for their URL out of date. A range is cut from what is stored; parts of a response are never
/// stored. `HTTP.Response.cacheStatus` says what happened to a call, and events say why.
///
/// **For whom.** A cache is private unless its policy says otherwise, and tells users apart by
/// ``CachePartition``. In its default no response is stored that sets a cookie, nor one whose request was
/// given a credential below the cache, unless it is `public`.
///
/// **What can go wrong does not.** A body is stored while its reader reads it, and only if it arrived
/// whole. A store that fails never fails a call. A cancelled caller leaves nothing behind; what others
/// wait for goes on for them.
///
/// **In the background** runs only what `stale-while-revalidate` asks for, at most one request for a
/// key at a time, under ``CachePolicy/revalidationLimit``, as a call of its own.
///
/// Put it **outside** retries, tokens, breakers and limits, which a hit then does not touch, and inside
/// redirects, each hop of which is stored by itself.
public struct CacheInterceptor: Interceptor {
    let store: any CacheStore
    let rules: CacheRules
    let partition: CachePartition
    let fetches = InFlightFetches()
    private let metrics = CacheMetrics()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - store: Where responses are kept. Defaults to the memory of this process.
    ///   - policy: What is stored and served. Defaults to the default policy.
    ///   - partition: How it is told apart for whom responses are. Defaults to the credentials that a
    ///     request carries when it comes here.
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

    /// What this cache has done so far.
    public var statistics: CacheStatistics { metrics.now }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.usesCache, CacheRequest.isAnswerable(chain.input),
            let key = key(chain.input, chain.call)
        else { return try await invalidating(chain) }
        return try await CacheHandler(self, chain, key).run()
    }

    /// Whether callers may be served from one place although they are not known to be the same.
    var mayServeOthers: Bool {
        rules.policy.scope == .shared || !partition.coversUnseenCredentials
    }

    private func key(_ request: HTTP.Request, _ call: Call) -> CacheKey? {
        guard let url = CacheKey.url(of: request.url) else { return nil }
        if rules.policy.scope == .shared {
            return CacheKey(url: url, partition: CachePartition.key(ofHost: request))
        }
        return partition.key(request, call).map { CacheKey(url: url, partition: $0) }
    }

    /// Passes a request on that may change what is stored.
    private nonisolated(nonsending) func invalidating(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        for url in rules.invalidated(by: chain.input, response) {
            fetches.outdate(url)
            await trying(chain.call) { try await store.removeAll(for: url) }
            chain.call.emit(
                .cacheInvalidated,
                from: "CacheInterceptor",
                ["url": .text(Redaction.standard.url(url))]
            )
        }
        return response
    }

    func count(_ change: (inout CacheStatistics) -> Void) {
        metrics.change(change)
    }

    /// Does something with the store; a failure is reported and nothing more.
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
        call.emit(.cacheStoreFailed, from: "CacheInterceptor", call.attributes(of: error))
    }
}
