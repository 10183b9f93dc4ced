public import InterceptorKit

/// What a ``CacheInterceptor`` stores and serves, beyond what requests and responses say themselves.
public struct CachePolicy: Sendable {
    /// Whose responses a cache keeps.
    public enum Scope: Sendable, Hashable {
        /// Those of one identity at a time: what is `private` may be stored, and nobody is served what
        /// another was given.
        case `private`
        /// Those that anybody may be served: the rules for shared caches hold (RFC 9111 sections 3 and
        /// 3.5), and what sets cookies is not stored.
        case shared
    }

    /// What happens to a response that may be stored.
    public enum Storing: Sendable, Hashable {
        /// It is stored and used as it says itself.
        case asStated
        /// It is stored and counts as fresh for this long, whatever it says: its `Cache-Control` becomes
        /// `max-age`, and it loses `Expires`, `Pragma`, `Age` and `Date`.
        case fresh(for: Duration)
        /// It is not stored.
        case never
    }

    /// Whose responses are kept. Defaults to private.
    public var scope: Scope

    /// The part of the time since `Last-Modified` for which a response that states no lifetime counts as
    /// fresh (RFC 9111 section 4.2.2). Defaults to a tenth; zero turns this off. A URL with a query never
    /// counts so, as in OkHttp.
    public var heuristicFraction: Double

    /// The longest such time. Defaults to 24 hours.
    public var heuristicLimit: Duration

    /// How long after it has become stale a response is served where the server fails, if neither it
    /// nor the request says (`stale-if-error`, RFC 5861 section 4). Defaults to zero: it is not.
    public var staleIfError: Duration

    /// How long a request in the background may take (`stale-while-revalidate`, RFC 5861 section 3).
    /// Defaults to 30 seconds.
    public var revalidationLimit: Duration

    /// Whether requests that are the same wait for the first of them and share what it stores (RFC 9111
    /// section 4). Defaults to `true`.
    public var collapsesRequests: Bool

    /// The largest body that several requests may wait for, in bytes. Defaults to 5 MB.
    public var collapsingLimit: Int

    /// Decides about a response: asked for each that could be stored, also as a 304 has refreshed it, and
    /// for those that say themselves that they may not (`no-store`, no lifetime), so that a response can be
    /// made cacheable by ``Storing/fresh(for:)``. Never asked for what cannot be stored in any case, as a
    /// response to `POST` or one with `Vary: *`, nor for another's response. Defaults to ``Storing/asStated``.
    public var storing: @Sendable (_ request: HTTP.Request, _ response: HTTP.Response) -> Storing

    /// Creates a policy.
    /// - Parameters:
    ///   - scope: Whose responses are kept. Defaults to private.
    ///   - heuristicFraction: See ``heuristicFraction``. Defaults to 0.1.
    ///   - heuristicLimit: See ``heuristicLimit``. Defaults to 24 hours.
    ///   - staleIfError: See ``staleIfError``. Defaults to zero.
    ///   - revalidationLimit: See ``revalidationLimit``. Defaults to 30 seconds.
    ///   - collapsesRequests: See ``collapsesRequests``. Defaults to `true`.
    ///   - collapsingLimit: See ``collapsingLimit``. Defaults to 5 MB.
    ///   - storing: See ``storing``. Defaults to ``Storing/asStated``.
    public init(
        scope: Scope = .private,
        heuristicFraction: Double = 0.1,
        heuristicLimit: Duration = .seconds(24 * 60 * 60),
        staleIfError: Duration = .zero,
        revalidationLimit: Duration = .seconds(30),
        collapsesRequests: Bool = true,
        collapsingLimit: Int = 5_000_000,
        storing: @escaping @Sendable (HTTP.Request, HTTP.Response) -> Storing = { _, _ in .asStated
        }
    ) {
        self.scope = scope
        self.heuristicFraction = heuristicFraction
        self.heuristicLimit = heuristicLimit
        self.staleIfError = staleIfError
        self.revalidationLimit = revalidationLimit
        self.collapsesRequests = collapsesRequests
        self.collapsingLimit = collapsingLimit
        self.storing = storing
    }

    /// Throws if the policy cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "CachePolicy")
        try check.within(0...1, "heuristicFraction", heuristicFraction)
        try check.notNegative("heuristicLimit", heuristicLimit)
        try check.notNegative("staleIfError", staleIfError)
        try check.notNegative("revalidationLimit", revalidationLimit)
        try check.notNegative("collapsingLimit", collapsingLimit)
    }
}
