public import InterceptorKit

/// The rules for storing and using responses, in addition to the fields of requests and responses.
public struct CachePolicy: Sendable {
    /// The users whose responses a cache stores.
    public enum Scope: Sendable, Hashable {
        /// One identity at a time: `private` responses may be stored, and no identity is served another's responses.
        case `private`
        /// Everybody: the rules for shared caches apply (RFC 9111 sections 3 and 3.5), and responses that set cookies
        /// are not stored.
        case shared
    }

    /// The decision about a response that may be stored.
    public enum Storing: Sendable, Hashable {
        /// Store the response, and use it as its own fields say.
        case asStated
        /// Store the response as fresh for this long, whatever its fields say: `Cache-Control` becomes `max-age`, and
        /// `Expires`, `Pragma`, `Age` and `Date` are removed.
        case fresh(for: Duration)
        /// Store the response with these header fields, and use it as they say.
        ///
        /// The fields in ``unchangeableFields`` keep their values, so that they stay true of the stored body.
        case changed(HTTP.Headers)
        /// Don't store the response.
        case never
    }

    /// The header fields that ``Storing/changed(_:)`` does not change, in lower case: `Vary`, and those that describe
    /// the form and version of the body.
    public static let unchangeableFields: Set<String> = [
        "content-digest", "content-encoding", "content-length", "content-range", "etag",
        "last-modified",
        "repr-digest", "transfer-encoding", "vary",
    ]

    /// The users who share the stored responses. Defaults to private.
    public var scope: Scope

    /// The fraction of the time since `Last-Modified` for which a response without a stated lifetime counts as fresh
    /// (RFC 9111 section 4.2.2). Defaults to a tenth; zero turns this off. As in OkHttp, it does not apply to a URL
    /// with a query.
    public var heuristicFraction: Double

    /// The largest lifetime that ``heuristicFraction`` gives. Defaults to 24 hours.
    public var heuristicLimit: Duration

    /// The time for which a stale response is used if the server fails, unless the response or the request states
    /// another (`stale-if-error`, RFC 5861 section 4). Defaults to zero: never.
    public var staleIfError: Duration

    /// The time limit of a background request (`stale-while-revalidate`, RFC 5861 section 3). Defaults to 30 seconds.
    public var revalidationLimit: Duration

    /// Whether equal requests wait for the first one and share its stored response (RFC 9111 section 4). Defaults to
    /// `true`.
    public var collapsesRequests: Bool

    /// The longest wait for an equal request, after which a request goes to the server itself. Defaults to 5 seconds,
    /// as in nginx (`proxy_cache_lock_timeout`).
    public var collapsingTimeout: Duration

    /// The largest body, in bytes, that requests wait for together. Defaults to 5 MB.
    public var collapsingLimit: Int

    /// Decides about each response that could be stored, again after a 304 has refreshed it, and about responses that
    /// forbid storing themselves (`no-store`, no lifetime), so that ``Storing/fresh(for:)`` can make them cacheable.
    /// Not called for what is never stored, such as a response to `POST`, one with `Vary: *`, or one that is for its
    /// caller alone. Defaults to ``Storing/asStated``.
    public var storing: @Sendable (_ request: HTTP.Request, _ response: HTTP.Response) -> Storing

    /// Creates a policy.
    /// - Parameters:
    ///   - scope: The users who share the stored responses. Defaults to private.
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

    /// Throws if ``heuristicFraction`` is outside 0 to 1, or another number is negative.
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
