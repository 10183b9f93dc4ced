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
        call.emit(name, ["reason": .text(reason())])
    }
}

extension CacheHandler {
    /// Whether it may wait for one that is the same: nothing that asks for a response of its own.
    private var isCollapsible: Bool {
        guard rules.policy.collapsesRequests, cacheRequest.method == .get,
            !cacheRequest.hasOwnConditions
        else { return false }
        let directives = cacheRequest.directives
        return !directives.noStore && !directives.noCache && directives.maxAge != 0
            && cache.fetches.isWorthWaiting(for: key)
    }

    /// Goes to the server for all equal requests.
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
        return isOwn ? .again : .failed(error)
    }

    private func outcome(
        _ response: HTTP.Response,
        _ fetch: CacheFetch
    ) -> InFlightFetches.Outcome {
        if response.cacheStatus == .stale { return .stale }
        if response.cacheStatus != .miss || fetch.isStored { return .stored }
        return Task.isCancelled ? .again : .alone
    }

    /// Reads a body that others wait for, so that it is stored whatever its caller does; the caller reads
    /// it from memory.
    /// - Returns: Why it broke off, as it does for the caller too.
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
    /// Asks the server in the background whether what was served stale still holds (RFC 5861 section 3).
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
                    // Stored as it is read.
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
    /// Asks the server, whether what is stored still holds if there is something.
    private nonisolated(nonsending) func send(
        _ stored: StoredResponse?,
        _ reason: String,
        _ fetch: CacheFetch
    ) async throws -> HTTP.Response {
        let observer = cache.mayServeOthers ? CredentialObserver() : nil
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
            // The server spoke of another version, or what was confirmed is gone: a whole response, then.
            return try await send(nil, "the stored response was not confirmed", fetch)
        }
        emit(.cacheMiss, reason)
        cache.count { $0.misses += 1 }
        return await keep(response, stored, exchange, fetch, observer)
    }

    /// Serves what is stored although the server fails, if that is allowed.
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
        // Served first: what cannot be served need not be kept.
        guard var served = await serve(updated, freshness, as: .validated) else { return nil }
        await update(updated, observer)
        served.request = response.request ?? served.request
        served.attempts = response.attempts
        return served
    }

    /// Stores a response that came from the server, or learns from it what is stored still.
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
            // A response to the caller's own condition: of the stored response only if it says so.
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
