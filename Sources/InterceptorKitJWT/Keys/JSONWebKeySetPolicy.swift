#if JWT
public import InterceptorKit

/// The rules for when the keys of an issuer are fetched again, and how long they are used.
public struct JSONWebKeySetPolicy: Sendable, Hashable {
    /// The lifetime of keys whose response states none by `Cache-Control` or `Expires`. Defaults to 5 minutes, as in
    /// Nimbus JOSE and Spring Security.
    public var lifetime: Duration = .seconds(300)

    /// The shortest lifetime, whatever the response states. Defaults to 1 minute: some issuers state none at all, and
    /// would be asked by every call.
    public var shortestLifetime: Duration = .seconds(60)

    /// The longest lifetime, whatever the response states. Defaults to a day. While the issuer answers, a key that it
    /// has withdrawn is accepted for no longer than this.
    public var longestLifetime: Duration = .seconds(86_400)

    /// The time after their lifetime for which keys are used while the issuer does not answer. Defaults to an hour.
    /// Nimbus JOSE has 50 minutes if it is asked to; RFC 5861 calls it `stale-if-error`.
    public var staleFor: Duration = .seconds(3600)

    /// The number of fetches for unknown key ids that may begin at once, after a time without any. Defaults to 3, so
    /// that a key that comes right after a forged id is found. A fetch that finds its key counts for a second of the
    /// ``unknownKeyInterval``, so that an issuer may change its keys each second.
    public var unknownKeyBurst = 3

    /// The time in which one more of these fetches may begin. Defaults to 10 s: however many forged ids come, the
    /// issuer gets 6 requests a minute, and a new key is known after 10 s. jose and Nimbus JOSE wait 30 s; Auth0's
    /// jwks-rsa sends up to 10 requests a minute.
    public var unknownKeyInterval: Duration = .seconds(10)

    /// The waits after failed fetches, in which calls that need one get the last error at once. Defaults to 1 s,
    /// doubling up to 30 s, each up to half shorter at random. A longer `Retry-After` of the issuer replaces it, up to
    /// the ``lifetime``: a proxy before it may ask for a day, and known keys would end meanwhile.
    public var backoff = Backoff(base: .seconds(1), cap: .seconds(30), jitter: .equal)

    /// The longest time for a fetch: of the metadata and the keys with all attempts of the client. Defaults to 10 s,
    /// twice what jose allows for the keys alone.
    public var timeout: Duration = .seconds(10)

    /// The policy with all defaults.
    public static let standard = JSONWebKeySetPolicy()

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "JSONWebKeySetPolicy")
        try check.positive("shortestLifetime", shortestLifetime)
        try check.positive("longestLifetime", longestLifetime)
        try check.require(
            shortestLifetime <= longestLifetime,
            "shortestLifetime",
            shortestLifetime.formattedSeconds,
            "at most the longestLifetime of \(longestLifetime.formattedSeconds)"
        )
        try check.positive("lifetime", lifetime)
        try check.notNegative("staleFor", staleFor)
        try check.within(1...1000, "unknownKeyBurst", unknownKeyBurst)
        try check.positive("unknownKeyInterval", unknownKeyInterval)
        try check.positive("timeout", timeout)
    }
}
#endif
