public import InterceptorKit

private enum UsesCache: PartitioningCallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call may be served what is stored, and its response be stored. Defaults to `true`.
    /// What it changes is out of date either way.
    ///
    /// For finer wishes there are the directives of `Cache-Control` in the request (RFC 9111 section
    /// 5.2.1): `no-cache` asks the server in any case, `only-if-cached` never does.
    public var usesCache: Bool {
        get { self[UsesCache.self] }
        set { self[UsesCache.self] = newValue }
    }
}
