import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parts of a request that a cache reads.
struct CacheRequest {
    let method: HTTP.Method
    let headers: HTTP.Headers
    let directives: CacheDirectives

    init(_ request: HTTP.Request) {
        method = request.method
        headers = request.headers
        directives = CacheDirectives(headers.values("Cache-Control"))
    }

    /// Whether a stored response may satisfy the request: `GET` or `HEAD` without a body, and without conditions that
    /// only the origin can evaluate (RFC 9111 section 4.3.2).
    static func isAnswerable(_ request: HTTP.Request) -> Bool {
        guard request.method == .get || request.method == .head, request.body.isEmpty else {
            return false
        }
        return !request.headers.contains("If-Match")
            && !request.headers.contains("If-Unmodified-Since")
    }

    /// Whether the caller set conditions or a range; the cache then adds no conditions.
    var hasOwnConditions: Bool {
        headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
            || headers.contains("Range")
    }

    /// Whether the caller's condition says that it has the stored response (RFC 9110 section 13.1).
    func isSatisfied(by stored: StoredResponse) -> Bool {
        let tags = headers.values("If-None-Match")
        guard tags.isEmpty else {
            if tags.contains("*") { return true }
            return stored.metadata.entityTag?.isNamed(in: tags) == true
        }
        guard let text = headers["If-Modified-Since"],
            let date = HTTP.date(text, now: stored.responseDate)
        else { return false }
        return (stored.metadata.lastModified ?? stored.metadata.date) <= date
    }
}
