import InterceptorKit

extension CacheHandler {
    /// Has a response stored while its body is read, if it may be.
    nonisolated(nonsending) func storing(
        _ response: HTTP.Response,
        _ exchange: ExchangeDates,
        _ fetch: CacheFetch,
        _ observer: CredentialObserver?
    ) async -> HTTP.Response {
        switch candidate(response, exchange, observer) {
        case .failure(let refusal):
            cache.fetches.noteUnstorable(key)
            emit(.cacheNotStored, refusal.reason)
            return response
        case .success(let stored):
            cache.fetches.noteStorable(key)
            let length = response.statedLength
            let writer = await cache.trying(call) {
                try await cache.store.writer(for: stored, length: length ?? response.body.length)
            }
            guard let writer, let writer else {
                emit(.cacheNotStored, "the store does not accept it")
                return response
            }
            return await write(response, stored, writer, length, fetch)
        }
    }

    private struct Refusal: Error { let reason: String }

    private func candidate(
        _ response: HTTP.Response,
        _ exchange: ExchangeDates,
        _ observer: CredentialObserver?
    ) -> Result<StoredResponse, Refusal> {
        if let restriction = rules.restriction(to: response, for: chain.input) {
            return .failure(Refusal(reason: restriction))
        }
        let headers = rules.storedFields(of: response.headers)
        let stored = StoredResponse(
            id: call.runtime.random(),
            key: key,
            selection: CacheSelection.selectors(of: chain.input.headers, for: headers),
            status: response.status,
            headers: headers,
            requestDate: exchange.requestDate,
            responseDate: exchange.responseDate
        )
        return judged(stored, response, observer)
    }

    /// Replaces what is stored by what a response without a body has made of it, or forgets it if it would
    /// not be stored like that.
    nonisolated(nonsending) func update(
        _ updated: StoredResponse,
        _ observer: CredentialObserver?
    ) async {
        let response = HTTP.Response(updated.status, headers: updated.headers)
        var judgement = judged(updated, response, observer)
        // What its request said of other fields is not known (RFC 9111 section 4.1).
        if CacheSelection.names(in: updated.headers) != Set(updated.selection.map(\.name)) {
            judgement = .failure(Refusal(reason: "it varies by other fields than before"))
        }
        switch judgement {
        case .failure(let refusal):
            emit(.cacheNotStored, refusal.reason)
            await cache.trying(call) { try await cache.store.remove(updated) }
        case .success(let kept):
            await cache.trying(call) { try await cache.store.update(kept) }
        }
    }

    /// What is kept of a response by what it says and by the policy, or why nothing is.
    private func judged(
        _ stored: StoredResponse,
        _ response: HTTP.Response,
        _ observer: CredentialObserver?
    ) -> Result<StoredResponse, Refusal> {
        if let reason = reservation(response.headers, observer) {
            return .failure(Refusal(reason: reason))
        }
        switch rules.policy.storing(chain.input, response) {
        case .never:
            return .failure(Refusal(reason: "the policy says never"))
        case .fresh(let lifetime):
            return .success(stored.lasting(lifetime))
        case .changed(let headers):
            return acceptable(stored.changed(rules.storedFields(of: headers)))
        case .asStated:
            return acceptable(stored)
        }
    }

    private func acceptable(_ stored: StoredResponse) -> Result<StoredResponse, Refusal> {
        let refusal = rules.refusal(of: stored, for: chain.input)
        return refusal.map { .failure(Refusal(reason: $0)) } ?? .success(stored)
    }

    /// Why a response may be for its caller alone, where others are served from the same place; `nil` if
    /// it is for all of them.
    private func reservation(_ headers: HTTP.Headers, _ observer: CredentialObserver?) -> String? {
        guard cache.mayServeOthers else { return nil }
        // A session begun by one would be another's (RFC 9111 section 7.3 leaves it to the cache).
        if headers.contains("Set-Cookie") { return "it sets a cookie" }
        let directives = CacheDirectives(headers.values("Cache-Control"))
        if observer?.hasSeenCredential == true, !directives.isPublic {
            return "a credential was attached below the cache"
        }
        return rules.refusalIfShared(directives, chain.input)
    }

    private nonisolated(nonsending) func write(
        _ response: HTTP.Response,
        _ stored: StoredResponse,
        _ writer: any CacheWriter,
        _ length: Int?,
        _ fetch: CacheFetch
    ) async -> HTTP.Response {
        let (cache, call, rules) = (cache, call, rules)
        fetch.noteStoring()
        // One writer, so one reading.
        let body = response.body
        let whole = body.isReplayable ? .oneShot(length: body.length, body.stream()) : body
        let storing = whole.wrapping { base in
            StoringStream(
                base,
                length: length,
                into: writer,
                fetch,
                mayCommit: {
                    // Another response, made later, may have come to its end before.
                    let known = await cache.trying(call) {
                        try await cache.store.responses(for: stored.key)
                    }
                    return known?.contains {
                        $0.selection == stored.selection && rules.isNewer($0, than: stored)
                    } != true
                },
                stored: {
                    fetch.noteStored()
                    cache.count { $0.stored += 1 }
                    call.emit(.cacheStored, from: "CacheInterceptor")
                },
                failed: { cache.recordFailure($0, call) }
            )
        }
        guard response.body.inMemory != nil else {
            var response = response
            response.body = storing
            return response
        }
        // There already, so it is stored whether or not it is read.
        let stream = storing.stream()
        while (try? await stream.next()) != nil {}
        return response
    }
}

extension HTTP.Response {
    /// The length that its body has to have; `nil` where nobody says, or where the body may have been
    /// decoded on the way.
    fileprivate var statedLength: Int? {
        guard !headers.contains("Content-Encoding") else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }
    }
}

extension StoredResponse {
    /// The same, fresh for so long from when it came.
    fileprivate func lasting(_ lifetime: Duration) -> StoredResponse {
        var headers = headers
        for name in ["Expires", "Pragma", "Age", "Date"] where headers.contains(name) {
            headers[name] = nil
        }
        headers["Cache-Control"] = "max-age=\(max(0, lifetime.wholeSeconds))"
        return with(headers)
    }

    /// This response with other fields, but for those that are true of the body alone.
    fileprivate func changed(_ headers: HTTP.Headers) -> StoredResponse {
        func isFixed(_ name: String) -> Bool {
            CachePolicy.unchangeableFields.contains(name.lowercased())
        }
        var changed = HTTP.Headers()
        for field in headers where !isFixed(field.name) {
            changed.append(name: field.name, value: field.value)
        }
        for field in self.headers where isFixed(field.name) {
            changed.append(name: field.name, value: field.value)
        }
        return with(changed)
    }

    private func with(_ headers: HTTP.Headers) -> StoredResponse {
        StoredResponse(
            id: id,
            key: key,
            selection: selection,
            status: status,
            headers: headers,
            requestDate: requestDate,
            responseDate: responseDate
        )
    }
}
