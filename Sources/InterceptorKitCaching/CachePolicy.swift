public import InterceptorKit

/// The rules for storing and using responses, beyond those in requests and responses.
public struct CachePolicy: Sendable {
    /// The users whose responses a cache stores.
    public enum Scope: Sendable, Hashable {
        /// Those of one identity at a time: what is `private` may be stored, and nobody is served what
        /// another was given.
        case `private`
        /// Responses for anybody: the rules for shared caches hold (RFC 9111 sections 3 and 3.5), and
        /// responses that set cookies are not stored.
        case shared
    }

    /// The decision about a response that may be stored.
    public enum Storing: Sendable, Hashable {
        /// Store it, and use it as its own fields say.
        case asStated
        /// Store it as fresh for this long, whatever its fields say: its `Cache-Control` becomes `max-age`,
        /// and it loses `Expires`, `Pragma`, `Age` and `Date`.
        case fresh(for: Duration)
        /// Store it with these header fields, and use it as they say.
        ///
        /// The response keeps its own fields of its body's form and version, and its `Vary`
        /// (``unchangeableFields``), so that what is stored stays true of the body.
        case changed(HTTP.Headers)
        /// Don't store it.
        case never
    }

    /// The header fields that ``Storing/changed(_:)`` leaves as the server sent them, in lower case.
    public static let unchangeableFields: Set<String> = [
        "content-digest", "content-encoding", "content-length", "content-range", "etag",
        "last-modified",
        "repr-digest", "transfer-encoding", "vary",
    ]

    /// The users whose responses are stored. Defaults to private.
    public var scope: Scope

    /// The part of the time since `Last-Modified` for which a response without a stated lifetime counts as
    /// fresh (RFC 9111 section 4.2.2). Defaults to a tenth; zero turns this off. A URL with a query never
    /// counts, as in OkHttp.
    public var heuristicFraction: Double

    /// The largest lifetime by ``heuristicFraction``. Defaults to 24 hours.
    public var heuristicLimit: Duration

    /// The time for which a stale response is used if the server fails, unless it or the request says
    /// otherwise (`stale-if-error`, RFC 5861 section 4). Defaults to zero: never.
    public var staleIfError: Duration

    /// The longest time of a background request (`stale-while-revalidate`, RFC 5861 section 3). Defaults to
    /// 30 seconds.
    public var revalidationLimit: Duration

    /// Whether equal requests wait for the first of them and share its stored response (RFC 9111 section 4).
    /// Defaults to `true`.
    public var collapsesRequests: Bool

    /// The longest wait for an equal request; then a request goes to the server itself. Defaults to 5 seconds, as
    /// in nginx (`proxy_cache_lock_timeout`).
    public var collapsingTimeout: Duration

    /// The largest body that several requests may wait for, in bytes. Defaults to 5 MB.
    public var collapsingLimit: Int

    /// Decides about a response: asked for each that could be stored, also as a 304 has refreshed it, and
    /// for those that say themselves that they may not (`no-store`, no lifetime), so that a response can be
    /// made cacheable by ``Storing/fresh(for:)``. Never asked for what cannot be stored in any case, as a
    /// response to `POST` or one with `Vary: *`, nor for another's response. Defaults to ``Storing/asStated``.
    public var storing: @Sendable (_ request: HTTP.Request, _ response: HTTP.Response) -> Storing

    /// Creates a policy.
    /// - Parameters:
    ///   - scope: The users whose responses are stored. Defaults to private.
    ///   - heuristicFraction: See ``heuristicFraction``. Defaults to 0.1.
    ///   - heuristicLimit: See ``heuristicLimit``. Defaults to 24 hours.
    ///   - staleIfError: See ``staleIfError``. Defaults to zero.
    ///   - revalidationLimit: See ``revalidationLimit``. Defaults to 30 seconds.
    ///   - collapsesRequests: See ``collapsesRequests``. Defaults to `true`.
    ///   - collapsingTimeout: See ``collapsingTimeout``. Defaults to 5 seconds.
    ///   - collapsingLimit: See ``collapsingLimit``. Defaults to 5 MB.
    ///   - storing: See ``storing``. Defaults to ``Storing/asStated``.
    public init(
        scope: Scope = .private,
        heuristicFraction: Double = 0.1,
        heuristicLimit: Duration = .seconds(24 * 60 * 60),
        staleIfError: Duration = .zero,
        revalidationLimit: Duration = .seconds(30),
        collapsesRequests: Bool = true,
        collapsingTimeout: Duration = .seconds(5),
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
        self.collapsingTimeout = collapsingTimeout
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
        try check.notNegative("collapsingTimeout", collapsingTimeout)
        try check.notNegative("collapsingLimit", collapsingLimit)
    }
}
