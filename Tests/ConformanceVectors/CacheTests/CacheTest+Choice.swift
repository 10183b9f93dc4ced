import InterceptorKit
package import InterceptorKitCaching

extension CacheTest {
    /// Why the case is not for a cache within a client; `nil` if it is.
    package var exclusion: String? {
        isForCDNs
            ? "is about CDN-Cache-Control, which is for caches in front of origins (RFC 9213)"
            : Self.exclusions[id]
    }

    /// The cache that the case is for.
    package var scope: CachePolicy.Scope { Self.forSharedCaches.contains(id) ? .shared : .private }

    /// Whether what is stored must not be served though the origin is gone. A cache in front of origins
    /// says so by 502 or 504, as the case wants it; one in a client lets the call throw.
    package var isMetByThrowing: Bool { Self.metByThrowing.contains(id) }

    private static let metByThrowing: Set = [
        "stale-close-must-revalidate", "stale-close-proxy-revalidate", "stale-close-no-cache",
        "stale-close-s-maxage=2",
    ]

    private static let exclusions = [
        "cc-resp-immutable-fresh":
            "asks in Fetch's cache mode, for which there is no field that means the same",
        "cc-resp-immutable-stale":
            "asks in Fetch's cache mode, for which there is no field that means the same",
    ]

    // The published suite keeps them from browsers, whose caches are private.
    private static let forSharedCaches: Set = [
        "freshness-s-maxage-shared",
        "freshness-max-age-s-maxage-shared-longer",
        "freshness-max-age-s-maxage-shared-longer-reversed",
        "freshness-max-age-s-maxage-shared-longer-multiple",
        "freshness-max-age-s-maxage-shared-shorter",
        "freshness-max-age-s-maxage-shared-shorter-expires",
        "cc-resp-private-shared",
        "stale-close-proxy-revalidate",
        "stale-close-s-maxage=2",
        "other-authorization",
        "other-authorization-public",
        "other-authorization-must-revalidate",
        "other-authorization-smaxage",
    ]
}
