import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of RFC 9111 as pure functions of a request, the stored responses and the date.
///
/// ``CacheInterceptor`` carries out their decisions.
struct CacheRules {
    let policy: CachePolicy

    enum Decision {
        /// Send the request unchanged: no stored response is usable.
        case forward(reason: String)
        case serve(StoredResponse, Freshness)
        /// Serve the stored response, and validate it in the background.
        case serveAndRevalidate(StoredResponse, Freshness)
        /// Ask the server whether the stored response is still valid.
        case validate(StoredResponse, Freshness, reason: String)
        /// Refuse the request: it says `only-if-cached`, and no stored response is usable (section 5.2.1.7).
        case refuse(reason: String)

        var served: StoredResponse? {
            switch self {
            case .serve(let stored, _), .serveAndRevalidate(let stored, _): stored
            case .forward, .validate, .refuse: nil
            }
        }
    }

    func decision(_ request: CacheRequest, _ stored: [StoredResponse], now: Date) -> Decision {
        if request.directives.noStore { return .forward(reason: "the request says no-store") }
        let found = latest(of: stored, for: request.headers)
        guard let found else {
            let reason =
                stored.isEmpty ? "nothing is stored" : "the stored response was for other fields"
            return request.directives.onlyIfCached
                ? .refuse(reason: reason) : .forward(reason: reason)
        }
        let freshness = Freshness(found, now: now, policy: policy)
        let objection = objection(to: found, freshness, request.directives)
        guard let objection else { return .serve(found, freshness) }
        if request.directives.onlyIfCached { return .refuse(reason: objection) }
        if isServedWhileRevalidated(found, freshness, request.directives) {
            return .serveAndRevalidate(found, freshness)
        }
        return .validate(found, freshness, reason: objection)
    }

    /// Returns the matching response that the origin made last (section 4.1).
    private func latest(
        of stored: [StoredResponse],
        for request: HTTP.Headers
    ) -> StoredResponse? {
        var latest: StoredResponse?
        for response in stored where selects(response, request) {
            if let known = latest, !isNewer(response, than: known) { continue }
            latest = response
        }
        return latest
    }

    /// Whether a request has the field values that a stored response was selected by.
    private func selects(_ stored: StoredResponse, _ request: HTTP.Headers) -> Bool {
        stored.selection.allSatisfy { $0.value == CacheSelection.value(of: $0.name, in: request) }
    }

    func isNewer(_ response: StoredResponse, than other: StoredResponse) -> Bool {
        (other.metadata.date, other.responseDate) < (response.metadata.date, response.responseDate)
    }

    /// The reason why the stored response needs validation; `nil` if it can be served.
    private func objection(
        to stored: StoredResponse,
        _ freshness: Freshness,
        _ request: CacheDirectives
    ) -> String? {
        if stored.metadata.directives.noCache { return "it says no-cache" }
        if request.noCache { return "the request says no-cache" }
        // Zero asks for a current response, even immediately after another (section 5.2.1.1).
        if let limit = request.maxAge, freshness.age > Double(limit) || limit == 0 {
            return "it is older than the request accepts"
        }
        if let margin = request.minFresh, freshness.lifetime - freshness.age < Double(margin) {
            return "it is not fresh for as long as the request wants"
        }
        if freshness.isFresh { return nil }
        if let limit = request.maxStale, freshness.staleness <= Double(limit), mayBeStale(stored) {
            return nil
        }
        return "it is no longer fresh"
    }

    /// Whether the stored response may ever be served stale (sections 4.2.4, 5.2.2.2, 5.2.2.8 and 5.2.2.10).
    private func mayBeStale(_ stored: StoredResponse) -> Bool {
        let directives = stored.metadata.directives
        if directives.mustRevalidate || directives.noCache { return false }
        guard policy.scope == .shared else { return true }
        return !directives.proxyRevalidate && directives.sharedMaxAge == nil
    }

    private func isServedWhileRevalidated(
        _ stored: StoredResponse,
        _ freshness: Freshness,
        _ request: CacheDirectives
    ) -> Bool {
        guard let window = stored.metadata.directives.staleWhileRevalidate, mayBeStale(stored),
            !request.noCache, request.maxAge == nil, request.minFresh == nil
        else { return false }
        return freshness.staleness <= Double(window)
    }

    /// Whether the stored response is served if the server is unreachable or fails (RFC 5861 section 4).
    func isServedOnError(
        _ stored: StoredResponse,
        for request: CacheRequest,
        now: Date
    ) -> Bool {
        guard mayBeStale(stored), !request.directives.noCache else { return false }
        let stated = [
            stored.metadata.directives.staleIfError, request.directives.staleIfError,
        ].compactMap(\.self).max()
        let window = stated.map(Double.init) ?? policy.staleIfError.inSeconds
        let staleness = Freshness(stored, now: now, policy: policy).staleness
        return window > 0 && staleness <= window
    }

    /// Whether a status is a server failure (RFC 5861 section 4).
    static func isFailure(_ status: HTTP.Status) -> Bool {
        [500, 502, 503, 504].contains(status.code)
    }
}

extension CacheRules {
    // More fields than any server varies by; each lookup compares all of them.
    private static let selectorLimit = 32

    /// The reason why no policy can store a response; `nil` if it can be stored.
    func restriction(to response: HTTP.Response, for request: HTTP.Request) -> String? {
        guard request.method == .get else { return "the method is not GET" }
        // Partial responses are not stored (section 3.3), and a 304 is not a representation.
        guard response.status.code >= 200, response.status.code != 206, response.status.code != 304
        else { return "the status is \(response.status.code)" }
        if response.isEndless { return "it may not end" }
        let varying = CacheSelection.names(in: response.headers)
        if varying.contains("*") { return "it varies by more than fields" }
        if varying.count > Self.selectorLimit { return "it varies by too many fields" }
        return nil
    }

    /// The reason why a response and its request forbid storing (section 3); `nil` if they permit it.
    func refusal(of stored: StoredResponse, for request: HTTP.Request) -> String? {
        let directives = stored.metadata.directives
        if CacheDirectives(request.headers.values("Cache-Control")).noStore {
            return "the request says no-store"
        }
        if directives.mustUnderstand {
            guard Self.isUnderstood(stored.status) else { return "its status is not understood" }
        } else if directives.noStore {
            return "it says no-store"
        }
        let states =
            directives.maxAge != nil || directives.isPublic || directives.isPrivate
            || (policy.scope == .shared && directives.sharedMaxAge != nil)
            || stored.headers.contains("Expires") || Self.isHeuristicallyCacheable(stored.status)
        guard states else { return "its status needs a stated lifetime" }
        return isUseful(stored) ? nil : "it has neither a lifetime nor a validator"
    }

    /// The reason why a shared cache does not store a response under any policy (sections 3 and 3.5); `nil` if it may.
    func refusalIfShared(_ directives: CacheDirectives, _ request: HTTP.Request) -> String? {
        guard policy.scope == .shared else { return nil }
        if directives.isPrivate { return "it is private" }
        let isForAll =
            directives.isPublic || directives.mustRevalidate || directives.sharedMaxAge != nil
        if request.headers.contains("Authorization"), !isForAll {
            return "its request was authorized"
        }
        return nil
    }

    /// Whether the response can ever be used again.
    private func isUseful(_ stored: StoredResponse) -> Bool {
        let metadata = stored.metadata
        if metadata.entityTag != nil || metadata.lastModified != nil { return true }
        if metadata.directives.noCache { return false }
        let freshness = Freshness(stored, now: stored.responseDate, policy: policy)
        return freshness.lifetime > 0 || (metadata.directives.staleIfError ?? 0) > 0
            || (metadata.directives.staleWhileRevalidate ?? 0) > 0
    }

    /// Whether a status permits storing without a stated lifetime (RFC 9110 section 15.1); 206 is excluded.
    static func isHeuristicallyCacheable(_ status: HTTP.Status) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status.code)
    }

    /// Whether this library knows how to cache a status: all registered ones except 206 and 304.
    private static func isUnderstood(_ status: HTTP.Status) -> Bool {
        status.reasonPhrase != nil && status.code != 206 && status.code != 304
    }
}

extension CacheRules {
    /// The fields of a single connection or proxy exchange (RFC 9110 section 7.6.1, RFC 9111 section 3.1).
    private static let unstoredFields = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
        "Proxy-Authorization", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
    ]

    /// The fields that describe the stored body; a 304 has no body and does not change them.
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]

    /// Returns the fields of a response that are stored (RFC 9111 section 3.1).
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

    /// Updates a stored response with the fields of a 304 or of a newer head (RFC 9111 sections 3.2, 4.3.4 and 4.3.5).
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
        // Keep the tag of the stored body, which names its coding; later validation must send this tag.
        if let tag = stored.metadata.entityTag,
            let confirmed = headers["ETag"].flatMap({ EntityTag($0) }),
            !tag.isWeaklyEqual(to: confirmed), tag.isOfSameVersion(as: confirmed)
        {
            headers["ETag"] = tag.text
        }
        // The previous `Age` does not apply to this response.
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

    /// Whether a 304 confirms the stored response: an entity tag must name the same version, or else a date must not
    /// differ (RFC 9111 section 4.3.4).
    func confirms(_ response: HTTP.Headers, _ stored: StoredResponse) -> Bool {
        if let tag = response["ETag"].flatMap({ EntityTag($0) }) {
            return stored.metadata.entityTag?.isOfSameVersion(as: tag) == true
        }
        guard let modified = response["Last-Modified"], let known = stored.headers["Last-Modified"]
        else { return true }
        return modified == known
    }

    /// Whether a response to `HEAD` describes the stored response (RFC 9111 section 4.3.5).
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

    /// Whether a response to `HEAD` describes the stored version in another content coding.
    func describesOtherCoding(_ response: HTTP.Headers, _ stored: StoredResponse) -> Bool {
        guard let tag = response["ETag"].flatMap({ EntityTag($0) }),
            let known = stored.metadata.entityTag
        else { return false }
        return !tag.isWeaklyEqual(to: known) && tag.isOfSameVersion(as: known)
    }

    /// The conditions that validate a stored response (RFC 9111 section 4.3.1).
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

    /// The URLs that an unsafe request invalidates (RFC 9111 section 4.4): its own URL, and those of the same origin
    /// that the response names.
    func invalidated(by request: HTTP.Request, _ response: HTTP.Response) -> [String] {
        guard !request.method.isSafe, 200..<400 ~= response.status.code,
            let own = CacheKey.url(of: request.url)
        else { return [] }
        let named = ["Location", "Content-Location"].compactMap { response.headers[$0] }
            .map { HTTP.URL(received: $0, at: request.url).resolved(against: request.url) }
            .filter { $0.origin == request.url.origin }
            .compactMap { CacheKey.url(of: $0) }
        return [own] + named.filter { $0 != own }
    }
}
