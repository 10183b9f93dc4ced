import InterceptorKit

/// One pass of a request through a cache: carries out what the rules answer.
struct CacheHandler {
    let cache: CacheInterceptor
    let chain: InterceptorChain<HTTP.Request>
    let key: CacheKey
    let cacheRequest: CacheRequest

    init(_ cache: CacheInterceptor, _ chain: InterceptorChain<HTTP.Request>, _ key: CacheKey) {
        self.cache = cache
        self.chain = chain
        self.key = key
        cacheRequest = CacheRequest(chain.input)
    }

    var call: Call { chain.call }
    var rules: CacheRules { cache.rules }

    nonisolated(nonsending) func run() async throws -> HTTP.Response {
        var mayWait = isCollapsible
        while true {
            let (decision, body) = await lookUp()
            switch decision {
            case .serve(let stored, let freshness):
                let status: HTTP.CacheStatus = freshness.isFresh ? .hit : .stale
                if let response = serve(stored, body, freshness, as: status) { return response }
            case .serveAndRevalidate(let stored, let freshness):
                if let response = serve(stored, body, freshness, as: .stale) {
                    revalidate(stored)
                    return response
                }
            case .refuse(let reason):
                return refuse(reason)
            case .validate(let stored, _, let reason):
                if let response = try await fetch(stored, reason, &mayWait) { return response }
                continue
            case .forward(let reason):
                if let response = try await fetch(nil, reason, &mayWait) { return response }
                continue
            }
            // What was found is gone again.
            if cacheRequest.directives.onlyIfCached { return refuse("its body is gone") }
            return try await send(nil, "its body is gone", cache.fetches.begin(key.url))
        }
    }

    /// Decides what is to be done, and opens the body of what is to be served.
    private nonisolated(nonsending) func lookUp() async -> (CacheRules.Decision, HTTP.Body?) {
        let now = call.runtime.date
        let found = await cache.trying(call) {
            try await cache.store.open(key) { stored in
                let decision = rules.decision(cacheRequest, stored, now: now)
                return (decision, decision.served.flatMap { needsBody(of: $0) ? $0 : nil })
            }
        }
        return found ?? (rules.decision(cacheRequest, [], now: now), nil)
    }

    /// Asks the server, or waits for another that does.
    /// - Returns: `nil` if the store is to be asked again.
    private nonisolated(nonsending) func fetch(
        _ stored: StoredResponse?,
        _ reason: String,
        _ mayWait: inout Bool
    ) async throws -> HTTP.Response? {
        guard mayWait else { return try await send(stored, reason, cache.fetches.begin(key.url)) }
        let identity = InFlightFetches.Identity(key: key, headers: cacheRequest.headers)
        switch await cache.fetches.join(
            identity,
            call,
            waitingUpTo: rules.policy.collapsingTimeout
        ) {
        case .leads(let fetch):
            return try await lead(identity, stored, reason, fetch)
        case .waited(.again):
            try Task.checkCancellation()
        case .waited(.stored), .waited(.alone):
            mayWait = false
        case .waited(.stale):
            mayWait = false
            return await serveOnError(stored, "the same request of another call failed")
        case .waited(.failed(let error)):
            throw error
        case .waited(.cancelled):
            throw CancellationError()
        case .waited(.timedOut):
            throw TransportError(
                .timedOut,
                "This call waited for the response to another call's same request, which did not arrive within "
                    + "this call's time. Nothing was sent for this call.",
                isUnsent: true
            )
        }
        return nil
    }

    /// The response to a request for what is stored or nothing (RFC 9111 section 5.2.1.7).
    private func refuse(_ reason: String) -> HTTP.Response {
        emit(.cacheMiss, reason)
        return HTTP.Response(504, request: chain.input)
    }

    func emit(_ name: Event.Name, _ reason: @autoclosure () -> String) {
        call.emit(name, from: "CacheInterceptor", ["reason": .text(reason())])
    }
}
