import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a request asks of a cache.
struct CacheRequest {
    let method: HTTP.Method
    let headers: HTTP.Headers
    let directives: CacheDirectives

    init(_ request: HTTP.Request) {
        method = request.method
        headers = request.headers
        directives = CacheDirectives(headers.values("Cache-Control"))
    }

    /// Whether stored responses may answer it, if there are any: a question without a body, and without
    /// conditions that only the origin can judge (RFC 9111 section 4.3.2).
    static func isAnswerable(_ request: HTTP.Request) -> Bool {
        guard request.method == .get || request.method == .head, request.body.isEmpty else {
            return false
        }
        return !request.headers.contains("If-Match")
            && !request.headers.contains("If-Unmodified-Since")
    }

    /// Whether the caller asks by conditions or a range of its own; the cache adds none to those.
    var hasOwnConditions: Bool {
        headers.contains("If-None-Match") || headers.contains("If-Modified-Since")
            || headers.contains("Range")
    }

    /// Whether its own condition says that the caller has what is stored (RFC 9110 section 13.1).
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
