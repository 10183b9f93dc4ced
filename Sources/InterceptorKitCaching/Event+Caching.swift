public import InterceptorKit

extension Event.Name {
    /// A stored response was used without the server: `age` in seconds, and `reason` if it was not fresh.
    public static let cacheHit: Self = "cache.hit"
    /// No stored response could be used: `reason`.
    public static let cacheMiss: Self = "cache.miss"
    /// The server confirmed that a stored response is still valid.
    public static let cacheValidated: Self = "cache.validated"
    /// A response was stored.
    public static let cacheStored: Self = "cache.stored"
    /// A response was not stored: `reason`.
    public static let cacheNotStored: Self = "cache.not_stored"
    /// The stored responses for a URL were removed, because a request changed the resource: `url`.
    public static let cacheInvalidated: Self = "cache.invalidated"
    /// The store failed, and the call went on without it: `error.type`, `error.message`.
    public static let cacheStoreFailed: Self = "cache.store_failed"
}
