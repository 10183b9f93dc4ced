import InterceptorKit

extension CacheHandler {
    /// Asks the server, whether what is stored still holds if there is something.
    nonisolated(nonsending) func send(
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
    nonisolated(nonsending) func serveOnError(
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
