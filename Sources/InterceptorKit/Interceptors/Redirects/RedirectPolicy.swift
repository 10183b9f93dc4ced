/// Which redirects are followed, and what goes along to another origin.
///
/// A policy is a value: start from the defaults and change what differs.
public struct RedirectPolicy: Sendable {
    /// Decides about one redirect that the rest of the policy would follow. What it throws is the
    /// caller's.
    public typealias Decision =
        @Sendable (_ redirect: HTTP.Redirect) async throws -> RedirectDecision

    /// The largest number of redirects followed for one call, from 1 to 1,000. Defaults to 20, as in
    /// Firefox, curl and OkHttp.
    public var limit = 20

    /// Whether a redirect may lead from https to http. Defaults to `false`, as in Ktor.
    public var allowsDowngrade = false

    /// Whether a request may be made again that was made before in this call, although no cookie was set
    /// since. Defaults to `false`; ``limit`` then ends what leads in a circle.
    public var allowsRepeats = false

    /// Whether a body goes along to another origin, after 307 or 308 or with a method that 301 and 302
    /// keep. Defaults to `false`, as in got since 15; browsers and curl send it.
    public var sendsBodiesAcrossOrigins = false

    /// The header fields of the caller's that go along to another origin, in lower case. Defaults to
    /// ``standardFields``.
    ///
    /// Fields that the call notes as credentials (``Call/credentialFields``) never do.
    public var fieldsAcrossOrigins = RedirectPolicy.standardFields

    /// Other origins that receive all that the caller's origin would: every field and the body. Defaults
    /// to none.
    public var trustedOrigins: [HTTP.Origin] = []

    /// Decides about each redirect. Defaults to following.
    public var decide: Decision = { _ in .follow }

    /// Creates a policy with the defaults.
    public init() {}

    /// Fields that say what is wanted and nothing about who wants it.
    ///
    /// A list of what may pass, and not of secrets, because every client has secrets of its own: fields
    /// like `X-Api-Key` leaked through lists of known names (CVE-2026-40895).
    public static let standardFields: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-md5", "content-type", "digest", "dnt", "expect", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma",
        "priority",
        "range", "repr-digest", "save-data", "sec-gpc", "te", "user-agent", "want-content-digest",
        "want-repr-digest",
    ]

    /// Throws if the policy cannot work.
    public func validate() throws {
        try SettingCheck(of: "RedirectPolicy").require(
            1...1000 ~= limit,
            "limit",
            "\(limit)",
            "from 1 to 1000",
            "To follow no redirects, leave the interceptor out or set followsRedirects = false for a call."
        )
        for origin in trustedOrigins { try origin.validate() }
    }
}

/// What happens to a redirect.
public enum RedirectDecision: Sendable, Hashable {
    /// The target is asked.
    case follow
    /// The response that redirects is the caller's.
    case deliver
}
