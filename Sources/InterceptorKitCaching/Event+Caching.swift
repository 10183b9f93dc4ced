public import InterceptorKit

extension Event.Name {
    /// A stored response was served without the server: `age` in seconds, and `reason` where it was not
    /// fresh.
    public static let cacheHit: Self = "cache.hit"
    /// Nothing stored could be served: `reason`.
    public static let cacheMiss: Self = "cache.miss"
    /// The server said that what is stored still holds.
    public static let cacheValidated: Self = "cache.validated"
    /// A response was stored.
    public static let cacheStored: Self = "cache.stored"
    /// A response was not stored: `reason`.
    public static let cacheNotStored: Self = "cache.not_stored"
    /// What is stored for a URL was forgotten, because a request changed the resource: `url`.
    public static let cacheInvalidated: Self = "cache.invalidated"
    /// The store failed, and the call went on without it: `error.type`, `error.message`.
    public static let cacheStoreFailed: Self = "cache.store_failed"
}
