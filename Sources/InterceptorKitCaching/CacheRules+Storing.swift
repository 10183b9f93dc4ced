import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
