/// What a ``CacheInterceptor`` stores and serves, beyond what responses say themselves.
public struct CachePolicy: Sendable {
    /// Whose responses a cache keeps.
    public enum Scope: Sendable, Hashable {
        /// Those of one identity at a time: what is `private` may be stored, and nobody is served what
        /// another was given.
        case `private`
        /// Those that anybody may be served: the rules for shared caches hold (RFC 9111 section 3).
        case shared
    }

    /// Whose responses are kept. Defaults to private.
    public var scope: Scope

    /// Creates a policy.
    /// - Parameter scope: Whose responses are kept. Defaults to private.
    public init(scope: Scope = .private) { self.scope = scope }
}
