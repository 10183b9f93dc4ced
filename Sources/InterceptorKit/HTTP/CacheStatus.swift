extension HTTP {
    /// What a cache had to do with a response.
    public enum CacheStatus: String, Sendable, Hashable {
        /// It was stored, and is fresh.
        case hit
        /// It was stored, and the server said just now that it still holds.
        case validated
        /// It was stored and is no longer fresh, and may be served all the same.
        case stale
        /// It comes from the server, and the cache looked for it in vain.
        case miss
    }
}
