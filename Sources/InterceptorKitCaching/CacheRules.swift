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
    ///   - - request: The request.
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
