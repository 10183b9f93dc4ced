import InterceptorKit

extension CacheHandler {
    /// Makes a response of what is stored, whose body is still to be opened.
    /// - Returns: `nil` if its body is no longer there.
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

    /// Whether a response made of what is stored has its body.
    func needsBody(of stored: StoredResponse) -> Bool {
        cacheRequest.method == .get && !isNotModified(stored)
    }

    private func isNotModified(_ stored: StoredResponse) -> Bool {
        cacheRequest.hasOwnConditions && cacheRequest.isSatisfied(by: stored)
    }

    /// Makes a response of what is stored.
    /// - Returns: `nil` if its body is needed and no longer there.
    func serve(
        _ stored: StoredResponse,
        _ body: HTTP.Body?,
        _ freshness: Freshness,
        as status: HTTP.CacheStatus,
        because reason: String? = nil
    ) -> HTTP.Response? {
        var response = HTTP.Response(stored.status, headers: stored.headers, request: chain.input)
        response.cacheStatus = status
        // Says that the server was not asked (RFC 9111 section 5.1).
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
        call.emit(name, from: "CacheInterceptor", attributes(freshness, reason))
    }

    private func attributes(_ freshness: Freshness, _ reason: String?) -> Event.Attributes {
        var attributes: Event.Attributes = ["age": .number(freshness.statedAge)]
        attributes["reason"] = reason.map { .text($0) }
        return attributes
    }
}

extension HTTP.Response {
    // What a 304 repeats of the response it stands for (RFC 9110 section 15.4.5).
    fileprivate mutating func becomeNotModified() {
        let kept = ["Age", "Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary"]
        status = 304
        headers = HTTP.Headers(
            headers.filter { field in kept.contains { HTTP.FieldSyntax.isSameName($0, field.name) }
            }
            .map { ($0.name, $0.value) }
        )
    }

    /// Cuts a range out of a whole response; one that cannot be cut is answered whole, as RFC 9110
    /// section 14.2 lets a server do.
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
    /// Whether a part of it continues what the caller has (RFC 9110 section 13.1.5).
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
