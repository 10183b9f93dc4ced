import InterceptorKit

/// One pass of a request through a cache: carries out the decisions of ``CacheRules``.
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
            // The response was removed between the lookup and its use.
            if cacheRequest.directives.onlyIfCached { return refuse("its body is gone") }
            return try await send(nil, "its body is gone", cache.fetches.begin(key.url))
        }
    }

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

    /// Asks the server, or waits for an equal request to it.
    /// - Returns: `nil` if the store must be asked again.
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
        case .waited(.retry):
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

    /// The response to `only-if-cached` without a usable stored response (RFC 9111 section 5.2.1.7).
    private func refuse(_ reason: String) -> HTTP.Response {
        emit(.cacheMiss, reason)
        return HTTP.Response(504, request: chain.input)
    }

    func emit(_ name: Event.Name, _ reason: @autoclosure () -> String) {
        call.emit(name, ["reason": .text(reason())])
    }
}

extension CacheHandler {
    /// Whether the request may wait for an equal one: it does not demand a response of its own.
    private var isCollapsible: Bool {
        guard rules.policy.collapsesRequests, cacheRequest.method == .get,
            !cacheRequest.hasOwnConditions
        else { return false }
        let directives = cacheRequest.directives
        return !directives.noStore && !directives.noCache && directives.maxAge != 0
            && cache.fetches.isWorthWaiting(for: key)
    }

    /// Sends the request on behalf of all equal ones.
    private nonisolated(nonsending) func lead(
        _ identity: InFlightFetches.Identity,
        _ stored: StoredResponse?,
        _ reason: String,
        _ fetch: CacheFetch
    ) async throws -> HTTP.Response {
        do {
            let response = try await send(stored, reason, fetch)
            var failure: (any Error)?
            if fetch.isStoring, !fetch.isStored, cache.fetches.isAwaited(identity) {
                failure = await complete(response)
            }
            cache.fetches.end(identity, failure.map(outcome) ?? outcome(response, fetch))
            return response
        } catch {
            cache.fetches.end(identity, outcome(error))
            throw error
        }
    }

    private func outcome(_ error: any Error) -> InFlightFetches.Outcome {
        let isOwn = error is CancellationError || call.remaining == .zero
        return isOwn ? .retry : .failed(error)
    }

    private func outcome(
        _ response: HTTP.Response,
        _ fetch: CacheFetch
    ) -> InFlightFetches.Outcome {
        if response.cacheStatus == .stale { return .stale }
        if response.cacheStatus != .miss || fetch.isStored { return .stored }
        return Task.isCancelled ? .retry : .alone
    }

    /// Reads a body that others wait for into memory, so that it is stored whatever the caller does with it.
    /// - Returns: The error that ended the body, which the caller's read throws too.
    private nonisolated(nonsending) func complete(_ response: HTTP.Response) async -> (any Error)? {
        let limit = rules.policy.collapsingLimit
        if let length = response.body.length, length > limit { return nil }
        do {
            _ = try await response.body.peek(upTo: limit.saturatingAdding(1))
            return nil
        } catch {
            return error
        }
    }
}

extension CacheHandler {
    /// Validates a response that was served stale, in the background (RFC 5861 section 3).
    private func revalidate(_ stored: StoredResponse) {
        let runtime = call.runtime
        let limit = rules.policy.revalidationLimit
        let background = call.detached(deadline: runtime.now.advanced(by: limit))
        let handler = CacheHandler(cache, chain.with(call: background), key)
        cache.fetches.revalidate(key) {
            runtime.start("revalidation") {
                await handler.revalidating(stored, until: limit)
            }
        }
    }

    private func revalidating(_ stored: StoredResponse, until limit: Duration) async {
        let runtime = call.runtime
        await withTaskGroup { group in
            group.addTask {
                _ = try? await call.activity(.call, "revalidation", from: "CacheInterceptor") {
                    call in
                    let handler = CacheHandler(cache, chain.with(call: call), key)
                    let fetch = cache.fetches.begin(key.url)
                    let response = try await handler.send(stored, "it was served stale", fetch)
                    // Reading the body stores it.
                    for try await _ in response.body {}
                }
            }
            group.addTask { try? await runtime.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        cache.fetches.endRevalidation(key)
    }
}

extension CacheHandler {
    /// Sends the request, with conditions that validate the stored response if there is one.
    private nonisolated(nonsending) func send(
        _ stored: StoredResponse?,
        _ reason: String,
        _ fetch: CacheFetch
    ) async throws -> HTTP.Response {
        let observer = cache.mayShareResponses ? CredentialObserver() : nil
        let call = observer.map { self.call.addingCredentialObserver($0) } ?? self.call
        var conditions = HTTP.Headers()
        if let stored, cacheRequest.method == .get, !cacheRequest.hasOwnConditions {
            conditions = rules.conditions(for: stored)
        }
        let requestDate = call.runtime.date
        let response: HTTP.Response
        do {
            response = try await chain.proceed(chain.input.adding(conditions), call: call)
        } catch {
            if error is CancellationError { throw error }
            guard let stale = await serveOnError(stored, "the server could not be reached") else {
                throw error
            }
            return stale
        }
        let exchange = ExchangeDates(requestDate: requestDate, responseDate: call.runtime.date)
        if CacheRules.isFailure(response.status),
            let stale = await serveOnError(stored, "the server answered \(response.status.code)")
        {
            await response.discard(on: call.runtime)
            return stale
        }
        if response.status == 304, !conditions.isEmpty {
            await response.discard(on: call.runtime)
            if let stored, let confirmed = await confirm(stored, response, exchange, observer) {
                return confirmed
            }
            // The server confirmed another version, or the stored body is gone: ask for a complete response.
            return try await send(nil, "the stored response was not confirmed", fetch)
        }
        emit(.cacheMiss, reason)
        cache.count { $0.misses += 1 }
        return await keep(response, stored, exchange, fetch, observer)
    }

    /// Serves the stored response although the server fails, if permitted.
    private nonisolated(nonsending) func serveOnError(
        _ stored: StoredResponse?,
        _ reason: String
    ) async -> HTTP.Response? {
        let now = call.runtime.date
        guard let stored, rules.isServedOnError(stored, for: cacheRequest, now: now) else {
            return nil
        }
        let freshness = Freshness(stored, now: now, policy: rules.policy)
        return await serve(stored, freshness, as: .stale, because: reason)
    }

    private nonisolated(nonsending) func confirm(
        _ stored: StoredResponse,
        _ response: HTTP.Response,
        _ exchange: ExchangeDates,
        _ observer: CredentialObserver?
    ) async -> HTTP.Response? {
        guard rules.confirms(response.headers, stored) else { return nil }
        let updated = rules.updated(stored, by: response.headers, exchange)
        let freshness = Freshness(updated, now: exchange.responseDate, policy: rules.policy)
        // Serve first: a response that cannot be served is not worth keeping.
        guard var served = await serve(updated, freshness, as: .validated) else { return nil }
        await update(updated, observer)
        served.request = response.request ?? served.request
        served.attempts = response.attempts
        return served
    }

    /// Stores a response from the server, or updates the stored one from a `HEAD` response or a 304.
    private nonisolated(nonsending) func keep(
        _ response: HTTP.Response,
        _ stored: StoredResponse?,
        _ exchange: ExchangeDates,
        _ fetch: CacheFetch,
        _ observer: CredentialObserver?
    ) async -> HTTP.Response {
        var response = response
        response.cacheStatus = .miss
        if cacheRequest.method == .head || response.status == 304 {
            if let stored { await learn(from: response, stored, exchange, observer) }
            return response
        }
        return await storing(response, exchange, fetch, observer)
    }

    private nonisolated(nonsending) func learn(
        from response: HTTP.Response,
        _ stored: StoredResponse,
        _ exchange: ExchangeDates,
        _ observer: CredentialObserver?
    ) async {
        let headers = response.headers
        if response.status == 304 {
            // This 304 is for the caller's own condition; only its entity tag can tie it to the stored response.
            guard headers.contains("ETag"), rules.confirms(headers, stored) else { return }
        } else {
            guard response.status == stored.status,
                !rules.describesOtherCoding(headers, stored)
            else { return }
            guard rules.describes(headers, stored) else {
                await cache.trying(call) { try await cache.store.remove(stored) }
                return
            }
        }
        await update(rules.updated(stored, by: headers, exchange), observer)
    }
}

extension HTTP.Request {
    fileprivate func adding(_ fields: HTTP.Headers) -> HTTP.Request {
        if fields.isEmpty { return self }
        var request = self
        for field in fields { request.headers.append(name: field.name, value: field.value) }
        return request
    }
}
