/// The rules for following redirects and for what another origin receives.
///
/// A policy is a value: start from the defaults and change what differs.
public struct RedirectPolicy: Sendable {
    /// A closure that decides about a redirect that the rest of the policy would follow. Its error goes to the caller.
    public typealias Decision =
        @Sendable (_ redirect: HTTP.Redirect) async throws -> RedirectDecision

    /// The largest number of redirects for one call, from 1 to 1,000. Defaults to 20, as in Firefox, curl and OkHttp.
    public var limit = 20

    /// Whether a redirect may lead from https to http. Defaults to `false`, as in Ktor.
    public var allowsDowngrade = false

    /// Whether a call may repeat an earlier request although no cookie was set since. Defaults to `false`; if `true`,
    /// only ``limit`` ends a loop.
    public var allowsRepeats = false

    /// Whether a body is sent to another origin, after 307 or 308 or with a method that 301 and 302 keep. Defaults to
    /// `false`, as in got since 15; browsers and curl send it.
    public var sendsBodiesAcrossOrigins = false

    /// The caller's header fields that are sent to another origin, in lower case. Defaults to ``standardFields``.
    ///
    /// Fields that the call records as credentials (``Call/credentialFields``) are never sent.
    public var fieldsAcrossOrigins = RedirectPolicy.standardFields

    /// The other origins that receive everything the caller's origin would: all fields and the body. Defaults to none.
    public var trustedOrigins: [HTTP.Origin] = []

    /// A closure that changes the request for a redirect's target, which still has all the caller's fields; `nil`, the
    /// default, sends it unchanged. Its error goes to the caller.
    ///
    /// The rest of the policy judges the changed request: another origin receives only ``fieldsAcrossOrigins`` of it,
    /// also of the fields that the closure added.
    public var prepare:
        (
            @Sendable (
                _ request: inout HTTP.Request, _ response: HTTP.Response
            ) async throws -> Void
        )?

    /// A closure that decides about each redirect, after ``prepare``. Defaults to following.
    public var decide: Decision = { _ in .follow }

    /// Creates a policy with the defaults.
    public init() {}

    /// The header fields that describe the wanted content and reveal nothing about the caller.
    ///
    /// This is a list of harmless fields, not of secrets, because every client has its own secrets: fields like
    /// `X-Api-Key` leaked through lists of known names (CVE-2026-40895).
    public static let standardFields: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-md5", "content-type", "digest", "dnt", "expect", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma",
        "priority",
        "range", "repr-digest", "save-data", "sec-gpc", "te", "user-agent", "want-content-digest",
        "want-repr-digest",
    ]

    /// Throws if the policy is invalid.
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

/// A decision about a redirect.
public enum RedirectDecision: Sendable, Hashable {
    /// Follow the redirect.
    case follow
    /// Return the redirecting response to the caller, with its ``HTTP/Response/nextRequest``.
    case deliver
}
