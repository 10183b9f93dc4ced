import InterceptorKit

extension CacheRules {
    /// The fields that belong to one connection or one exchange with a proxy (RFC 9110 section 7.6.1,
    /// RFC 9111 section 3.1).
    private static let unstoredFields = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
    ]

    /// The fields that say how the stored body is written, which a 304 does not carry.
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// The fields of a response that are stored (RFC 9111 section 3.1).
    func storedFields(of headers: HTTP.Headers) -> HTTP.Headers {
        var left = Self.unstoredFields
        left += headers.values("Connection").flatMap { CacheDirectives.members(of: $0) }
            .map(String.init)
        let directives = CacheDirectives(headers.values("Cache-Control"))
        left += directives.noCacheFields
        if policy.scope == .shared { left += directives.privateFields }
        var stored = headers
        stored.removeAll(named: left)
        return stored
    }

    /// What is stored, brought up to date by a 304 or by the head of a newer answer (RFC 9111 sections
    /// 3.2, 4.3.4 and 4.3.5).
    func updated(
        _ stored: StoredResponse,
        by response: HTTP.Headers,
        _ exchange: ExchangeDates
    ) -> StoredResponse {
        let fields = storedFields(of: response)
        let newer = HTTP.Headers(
            fields.lazy.filter { !Self.isBodyField($0.name) }.map { ($0.name, $0.value) }
        )
        var headers = stored.headers
        headers.merge(newer, .replaceExisting)
        // That of the stored body, with its coding, by which the server was asked.
        if let tag = stored.metadata.entityTag,
            let confirmed = headers["ETag"].flatMap({ EntityTag($0) }),
            !tag.isWeaklyEqual(to: confirmed), tag.isOfSameVersion(as: confirmed)
        {
            headers["ETag"] = tag.text
        }
        // An age that is not stated again was that of the response before.
        if !fields.contains("Age") { headers["Age"] = nil }
        return StoredResponse(
            id: stored.id,
            key: stored.key,
            selection: stored.selection,
            status: stored.status,
            headers: headers,
            requestDate: exchange.requestDate,
            responseDate: exchange.responseDate
        )
    }

    private static func isBodyField(_ name: String) -> Bool {
        bodyFields.contains { HTTP.FieldSyntax.isSameName($0, name) }
    }

    /// Whether a 304 speaks of what is stored: a strong tag must be of the same version, a weak one or a date must
    /// not contradict (RFC 9111 section 4.3.4).
    func confirms(_ response: HTTP.Headers, _ stored: StoredResponse) -> Bool {
        if let tag = response["ETag"].flatMap({ EntityTag($0) }) {
            return stored.metadata.entityTag?.isOfSameVersion(as: tag) == true
        }
        guard let modified = response["Last-Modified"], let known = stored.headers["Last-Modified"]
        else { return true }
        return modified == known
    }

    /// Whether the head of a response to `HEAD` is that of what is stored (RFC 9111 section 4.3.5).
    func describes(_ response: HTTP.Headers, _ stored: StoredResponse) -> Bool {
        for name in ["ETag", "Last-Modified", "Content-Length"] {
            if let value = response[name], let known = stored.headers[name], value != known {
                return false
            }
        }
        for name in ["ETag", "Last-Modified"] where response.contains(name) {
            if !stored.headers.contains(name) { return false }
        }
        return true
    }

    /// Whether the head of a response to `HEAD` is of the stored version, and coded otherwise.
    func describesOtherCoding(_ response: HTTP.Headers, _ stored: StoredResponse) -> Bool {
        guard let tag = response["ETag"].flatMap({ EntityTag($0) }),
            let known = stored.metadata.entityTag
        else { return false }
        return !tag.isWeaklyEqual(to: known) && tag.isOfSameVersion(as: known)
    }

    /// The conditions for asking the server whether a stored response is still valid (RFC 9111 section
    /// 4.3.1).
    func conditions(for stored: StoredResponse) -> HTTP.Headers {
        var conditions = HTTP.Headers()
        if let tag = stored.metadata.entityTag {
            conditions.append(name: "If-None-Match", value: tag.text)
        }
        if stored.metadata.lastModified != nil, let date = stored.headers["Last-Modified"] {
            conditions.append(name: "If-Modified-Since", value: date)
        }
        return conditions
    }

    /// The URLs whose stored responses an unsafe request makes out of date (RFC 9111 section 4.4): its
    /// own, and those that the response names on the same origin.
    func invalidated(by request: HTTP.Request, _ response: HTTP.Response) -> [String] {
        guard !request.method.isSafe, 200..<400 ~= response.status.code,
            let own = CacheKey.url(of: request.url)
        else { return [] }
        let named = ["Location", "Content-Location"].compactMap { response.headers[$0] }
            .map { HTTP.URL(received: $0).resolved(against: request.url) }
            .filter { $0.origin == request.url.origin }
            .compactMap { CacheKey.url(of: $0) }
        return [own] + named.filter { $0 != own }
    }
}
