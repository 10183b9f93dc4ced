extension HTTP {
    /// The part of a cache in a response.
    public enum CacheStatus: String, Sendable, Hashable {
        /// The response was stored, and is fresh.
        case hit
        /// The response was stored, and the server just confirmed that it is still valid.
        case validated
        /// The response was stored and is no longer fresh, but was used.
        case stale
        /// The response comes from the server, because it was not in the cache.
        case miss
    }
}
