public import InterceptorKit

private enum UsesCache: PartitioningCallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call may use the cache and store its response. Defaults to `true`. Either way, changes
    /// that it makes invalidate stored responses.
    ///
    /// For finer control, use the directives of `Cache-Control` in the request (RFC 9111 section 5.2.1):
    /// `no-cache` always asks the server, `only-if-cached` never does.
    public var usesCache: Bool {
        get { self[UsesCache.self] }
        set { self[UsesCache.self] = newValue }
    }
}
