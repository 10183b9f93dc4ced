import InterceptorKit

// Serving stored responses and storing received ones.
extension CacheHandler {
    /// Builds a response from a stored one, and opens its body if needed.
    /// - Returns: `nil` if the body is no longer stored.
    nonisolated(nonsending) func serve(
        _ stored: StoredResponse,
        _ freshness: Freshness,
        as status: HTTP.CacheStatus,
        because reason: String? = nil
    ) async -> HTTP.Response? {
        var body: HTTP.Body?
        if needsBody(of: stored) {
            body = await cache.trying(call) { try await cache.store.body(of: stored) } ?? nil
        }
        return serve(stored, body, freshness, as: status, because: reason)
    }

    /// Whether the response to the caller needs the stored body.
    func needsBody(of stored: StoredResponse) -> Bool {
        cacheRequest.method == .get && !isNotModified(stored)
    }

    private func isNotModified(_ stored: StoredResponse) -> Bool {
        cacheRequest.hasOwnConditions && cacheRequest.isSatisfied(by: stored)
    }

    /// Builds a response from a stored one and its opened body.
    /// - Returns: `nil` if the body is needed and no longer stored.
    func serve(
        _ stored: StoredResponse,
        _ body: HTTP.Body?,
        _ freshness: Freshness,
        as status: HTTP.CacheStatus,
        because reason: String? = nil
    ) -> HTTP.Response? {
        var response = HTTP.Response(stored.status, headers: stored.headers, request: chain.input)
        response.cacheStatus = status
        // `Age` tells the caller that the server was not asked (RFC 9111 section 5.1).
        if status != .validated { response.headers["Age"] = "\(freshness.statedAge)" }
        if isNotModified(stored) {
            response.becomeNotModified()
        } else if cacheRequest.method == .get {
            guard let body else { return nil }
            response.body = body
            response.cut(to: cacheRequest.headers, validators: stored)
        }
        note(status, freshness, reason)
        return response
    }

    private func note(_ status: HTTP.CacheStatus, _ freshness: Freshness, _ reason: String?) {
        cache.count { metrics in
            switch status {
            case .hit: metrics.hits += 1
            case .stale: metrics.staleHits += 1
            case .validated: metrics.validations += 1
            case .miss: metrics.misses += 1
            }
        }
        let name: Event.Name = status == .validated ? .cacheValidated : .cacheHit
        call.emit(name, attributes(freshness, reason))
    }

    private func attributes(_ freshness: Freshness, _ reason: String?) -> Event.Attributes {
        var attributes: Event.Attributes = ["age": .number(freshness.statedAge)]
        attributes.reason = reason
        return attributes
    }
}

extension CacheHandler {
    /// Stores the response while its body is read, if permitted.
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

    /// Replaces a stored head with one updated by a bodiless response, or removes the stored response if the updated
    /// one may not be stored.
    nonisolated(nonsending) func update(
        _ updated: StoredResponse,
        _ observer: CredentialObserver?
    ) async {
        let response = HTTP.Response(updated.status, headers: updated.headers)
        var judgement = judged(updated, response, observer)
        // The request's values of the newly named fields are unknown (RFC 9111 section 4.1).
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

    /// Applies the response's fields and the policy: returns what is stored, or the reason why nothing is.
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

    /// The reason to reserve a response for its caller, if callers share stored responses; `nil` if there is none.
    private func reservation(_ headers: HTTP.Headers, _ observer: CredentialObserver?) -> String? {
        guard cache.mayShareResponses else { return nil }
        // Another user would get the session that the cookie begins (RFC 9111 section 7.3 leaves this to the cache).
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
        // There is one writer, so the body is read once.
        let body = response.body
        let whole = body.isReplayable ? .oneShot(length: body.length, body.stream()) : body
        let storing = whole.wrapping { base in
            StoringStream(
                base,
                length: length,
                into: writer,
                fetch,
                mayCommit: {
                    // A newer response may have been stored meanwhile.
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
                    call.emit(.cacheStored)
                },
                failed: { cache.recordFailure($0, call) }
            )
        }
        guard response.body.inMemory != nil else {
            var response = response
            response.body = storing
            return response
        }
        // The body is in memory, so it is stored whether the caller reads it or not.
        let stream = storing.stream()
        while (try? await stream.next()) != nil {}
        return response
    }
}

extension HTTP.Response {
    // These are the fields that a 304 repeats (RFC 9110 section 15.4.5).
    fileprivate mutating func becomeNotModified() {
        let kept = ["Age", "Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary"]
        status = 304
        headers = HTTP.Headers(
            headers.filter { field in kept.contains { HTTP.FieldSyntax.isSameName($0, field.name) }
            }
            .map { ($0.name, $0.value) }
        )
    }

    /// Cuts the requested range out of a complete response; if impossible, leaves the response whole, as RFC 9110
    /// section 14.2 permits.
    fileprivate mutating func cut(to request: HTTP.Headers, validators stored: StoredResponse) {
        guard status == 200, let text = request["Range"], let total = body.length,
            let range = HTTP.byteRange(text, of: total), stored.mayBeCut(request["If-Range"]),
            let part = body.part(range)
        else { return }
        status = 206
        headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        headers["Content-Length"] = "\(range.count)"
        body = part
    }
}

extension StoredResponse {
    /// Whether a part of the stored body continues what the caller has (RFC 9110 section 13.1.5).
    fileprivate func mayBeCut(_ condition: String?) -> Bool {
        guard let condition else { return true }
        if let tag = metadata.entityTag, let asked = EntityTag(condition),
            tag.isStronglyEqual(to: asked)
        {
            return true
        }
        return metadata.lastModified != nil && headers["Last-Modified"] == condition
    }
}

extension HTTP.Response {
    /// The length that the body must have; `nil` if unknown, or if the body may have been decoded.
    fileprivate var statedLength: Int? {
        guard !headers.contains("Content-Encoding") else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }
    }
}

extension StoredResponse {
    /// Returns this response as fresh for a lifetime from its receipt.
    fileprivate func lasting(_ lifetime: Duration) -> StoredResponse {
        var headers = headers
        for name in ["Expires", "Pragma", "Age", "Date"] where headers.contains(name) {
            headers[name] = nil
        }
        headers["Cache-Control"] = "max-age=\(max(0, lifetime.wholeSeconds))"
        return with(headers)
    }

    /// Returns this response with other fields, except for ``CachePolicy/unchangeableFields``.
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
