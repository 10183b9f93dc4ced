import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of RFC 9111 as functions of values: a request, what is stored, and the present.
///
/// The ``CacheInterceptor`` only carries out their answers.
struct CacheRules {
    let policy: CachePolicy

    /// What is to be done with a request.
    enum Decision {
        /// Nothing stored helps: the request goes to the server as it is.
        case forward(reason: String)
        /// What is stored answers it.
        case serve(StoredResponse, Freshness)
        /// The stored response is used, and the server is asked in the background.
        case serveAndRevalidate(StoredResponse, Freshness)
        /// The server is asked whether the stored response is still valid.
        case validate(StoredResponse, Freshness, reason: String)
        /// The caller wants what is stored or nothing, and nothing can be used (section 5.2.1.7).
        case refuse(reason: String)

        /// What is served, if anything is.
        var served: StoredResponse? {
            switch self {
            case .serve(let stored, _), .serveAndRevalidate(let stored, _): stored
            case .forward, .validate, .refuse: nil
            }
        }
    }

    /// - Parameters:
    ///   - request: The request.
    ///   - stored: What there is under the request's key.
    ///   - now: The present.
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

    /// The one of several that match which the origin made last (section 4.1).
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

    /// Whether a request says what the one said that a response was stored for.
    private func selects(_ stored: StoredResponse, _ request: HTTP.Headers) -> Bool {
        stored.selection.allSatisfy { $0.value == CacheSelection.value(of: $0.name, in: request) }
    }

    /// Whether the origin made one response after another.
    func isNewer(_ response: StoredResponse, than other: StoredResponse) -> Bool {
        (other.metadata.date, other.responseDate) < (response.metadata.date, response.responseDate)
    }

    /// Why what is stored cannot answer without the server; `nil` if it can.
    private func objection(
        to stored: StoredResponse,
        _ freshness: Freshness,
        _ request: CacheDirectives
    ) -> String? {
        if stored.metadata.directives.noCache { return "it says no-cache" }
        if request.noCache { return "the request says no-cache" }
        // Zero asks for a response of now, however quickly it is asked again (section 5.2.1.1).
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

    /// Whether it may be served stale at all (sections 4.2.4, 5.2.2.2, 5.2.2.8 and 5.2.2.10).
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

    /// Whether it is served where the server cannot be reached or fails (RFC 5861 section 4).
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

    /// The statuses that stand for a failure of the server (RFC 5861 section 4).
    static func isFailure(_ status: HTTP.Status) -> Bool {
        [500, 502, 503, 504].contains(status.code)
    }
}

extension CacheRules {
    // More fields than any server varies by; each is compared on every look at the response.
    private static let selectorLimit = 32

    /// Why a response is not stored whatever it or the policy says; `nil` if it can be.
    func restriction(to response: HTTP.Response, for request: HTTP.Request) -> String? {
        guard request.method == .get else { return "the method is not GET" }
        // Parts of a representation are left alone (section 3.3), and 304 is no representation.
        guard response.status.code >= 200, response.status.code != 206, response.status.code != 304
        else { return "the status is \(response.status.code)" }
        if response.isEndless { return "it may not end" }
        let varying = CacheSelection.names(in: response.headers)
        if varying.contains("*") { return "it varies by more than fields" }
        if varying.count > Self.selectorLimit { return "it varies by too many fields" }
        return nil
    }

    /// Why a response is not stored by what it and its request say (section 3); `nil` if it is.
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

    /// Why a shared cache does not store a response, whatever the policy says of it (sections 3 and 3.5);
    /// `nil` if it may.
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

    /// Whether it can ever answer a request.
    private func isUseful(_ stored: StoredResponse) -> Bool {
        let metadata = stored.metadata
        if metadata.entityTag != nil || metadata.lastModified != nil { return true }
        if metadata.directives.noCache { return false }
        let freshness = Freshness(stored, now: stored.responseDate, policy: policy)
        return freshness.lifetime > 0 || (metadata.directives.staleIfError ?? 0) > 0
            || (metadata.directives.staleWhileRevalidate ?? 0) > 0
    }

    /// The statuses that may be stored without a stated lifetime (RFC 9110 section 15.1), 206 left out.
    static func isHeuristicallyCacheable(_ status: HTTP.Status) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status.code)
    }

    /// The statuses whose caching this library knows: those that are registered, 206 and 304 left out.
    private static func isUnderstood(_ status: HTTP.Status) -> Bool {
        status.reasonPhrase != nil && status.code != 206 && status.code != 304
    }
}

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
