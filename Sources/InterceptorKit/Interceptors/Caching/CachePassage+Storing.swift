extension CachePassage {
    /// Has a response stored while its body is read, if it may be.
    nonisolated(nonsending) func storing(
        _ response: HTTP.Response,
        _ exchange: CacheExchange,
        _ fetch: CacheFetch,
        _ witness: CredentialWitness?
    ) async -> HTTP.Response {
        switch candidate(response, exchange, witness) {
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
                emit(.cacheNotStored, "the store does not take it")
                return response
            }
            return await write(response, stored, writer, length, fetch)
        }
    }

    private struct Refusal: Error { let reason: String }

    private func candidate(
        _ response: HTTP.Response,
        _ exchange: CacheExchange,
        _ witness: CredentialWitness?
    ) -> Result<StoredResponse, Refusal> {
        let request = chain.input
        if let obstacle = rules.obstacle(to: response, for: request) {
            return .failure(Refusal(reason: obstacle))
        }
        let choice = rules.policy.storing(request, response)
        if choice == .never { return .failure(Refusal(reason: "the policy says never")) }
        var headers = rules.storedFields(of: response.headers)
        if case .fresh(let lifetime) = choice { headers.setLifetime(lifetime) }
        let stored = StoredResponse(
            id: call.runtime.random(),
            key: key,
            selection: CacheSelection.selectors(of: request.headers, for: headers),
            status: response.status,
            headers: headers,
            requestDate: exchange.requestDate,
            responseDate: exchange.responseDate
        )
        if choice == .asStated, let refusal = rules.refusal(of: stored, for: request) {
            return .failure(Refusal(reason: refusal))
        }
        let stated = CacheDirectives(response.headers.values("Cache-Control"))
        if let refusal = rules.refusalIfShared(response.headers, stated, request) {
            return .failure(Refusal(reason: refusal))
        }
        if witness?.hasSeenOne == true, !stated.isPublic {
            return .failure(Refusal(reason: "a credential was attached below the cache"))
        }
        return .success(stored)
    }

    private nonisolated(nonsending) func write(
        _ response: HTTP.Response,
        _ stored: StoredResponse,
        _ writer: any CacheWriter,
        _ length: Int?,
        _ fetch: CacheFetch
    ) async -> HTTP.Response {
        let (cache, call, rules) = (cache, call, rules)
        guard let source = try? await response.body.source else { return response }
        fetch.noteStoring()
        let stream = StoringStream(
            source,
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
                // It was outdated while it was being committed.
                guard fetch.isOutdated else { return }
                await cache.trying(call) { try await cache.store.remove(stored) }
            },
            failed: { cache.noteFailure($0, call) }
        )
        var response = response
        if let content = response.body.inMemory {
            // There already, so it is stored whether or not it is read.
            while await stream.advances {}
            response.body = .bytes(content)
        } else {
            response.body = .oneShot(length: response.body.length, stream)
        }
        return response
    }
}

extension StoringStream {
    fileprivate var advances: Bool {
        get async { (try? await next()).flatMap(\.self) != nil }
    }
}

extension HTTP.Body {
    fileprivate var source: BodySource {
        get async throws {
            switch storage {
            case .oneShot(let body): return BodySource(body)
            case .bytes(let content): return BodySource(BodyReader(EmptyStream(), after: [content]))
            case .file, .replayable: return BodySource(try await storage.open())
            }
        }
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

extension HTTP.Headers {
    fileprivate mutating func setLifetime(_ lifetime: Duration) {
        for name in ["Expires", "Pragma", "Age", "Date"] where contains(name) { self[name] = nil }
        self["Cache-Control"] = "max-age=\(Swift.max(0, lifetime.components.seconds))"
    }
}

extension CacheRules {
    /// Whether it has to be known if a credential was attached below.
    func needsWitness(_ partition: CachePartition) -> Bool {
        policy.scope == .shared || !partition.coversUnseenCredentials
    }
}
