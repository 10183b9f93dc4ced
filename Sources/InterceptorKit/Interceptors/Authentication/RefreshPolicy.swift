/// The rules for when credentials are refreshed, and the limits of refreshes.
public struct RefreshPolicy: Sendable, Hashable {
    /// The time before expiry from which a credential is refreshed in the background while requests use it. Defaults to
    /// 60 s. It is shortened at random by up to a quarter, so that clients that signed in together don't refresh
    /// together, and to at most half the lifetime of a refreshed credential.
    public var backgroundMargin: Duration = .seconds(60)

    /// The time before expiry from which a credential is refreshed before it is used, because it could expire in
    /// transit. Defaults to 10 s. It is lengthened at random by up to half, as in the AWS identity cache, and then
    /// shortened to at most a quarter of the lifetime of a refreshed credential. A time longer than
    /// ``backgroundMargin`` prevents background refreshes.
    public var blockingMargin: Duration = .seconds(10)

    /// Whether the margins vary at random, as they say. Defaults to `true`; `false` makes them exact, except for the
    /// part of a lifetime that they are limited to.
    public var variesMargins = true

    /// The longest time that a call waits for a credential, unless its deadline is nearer. Defaults to 10 s. The
    /// refresh continues without the call.
    public var waitLimit: Duration = .seconds(10)

    /// The time after which a refresh is abandoned, so that another may begin. Defaults to 60 s: until then its request
    /// may still be in transit, and a second one with the same refresh token could end the session.
    public var abandonAfter: Duration = .seconds(60)

    /// The waits after failed refreshes. Calls that need a refresh during a wait get the last error at once. Defaults
    /// to 1 s, doubling with each further failure up to 60 s. A longer `Classification.retryAfter` of the source's
    /// error (a ``ClassifiedError``), such as a server's `Retry-After`, replaces it, up to an hour.
    public var backoff = Backoff(base: .seconds(1), cap: .seconds(60), jitter: .none)

    /// The maximum number of refreshes of rejected credentials within ``window``, so that a server that rejects each
    /// new one doesn't cause endless refreshes. Refreshes of expiring credentials don't count. Defaults to 10.
    public var limit = 10

    /// The window of ``limit``. Defaults to 60 s.
    public var window: Duration = .seconds(60)

    /// The policy with all defaults.
    public static let standard = RefreshPolicy()

    /// The longest wait that a server can ask for: an hour, the usual lifetime of an access token.
    static let longestRetryAfter = Duration.seconds(3600)

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "RefreshPolicy")
        try check.notNegative("blockingMargin", blockingMargin)
        try check.notNegative("backgroundMargin", backgroundMargin)
        try check.positive("waitLimit", waitLimit)
        try check.require(
            abandonAfter >= waitLimit,
            "abandonAfter",
            abandonAfter.formattedSeconds,
            "at least the waitLimit of \(waitLimit.formattedSeconds)"
        )
        try check.positive("limit", limit)
        try check.positive("window", window)
    }
}

/// The margins of one credential, drawn once so that all its uses agree.
struct RefreshMargins: Sendable, Equatable {
    /// The seconds before expiry from which the credential is refreshed in the background.
    let background: Double
    /// The seconds before expiry from which it is refreshed before use.
    let blocking: Double

    /// - Parameters:
    ///   - lifetime: The credential's lifetime in seconds; `nil` if unknown.
    ///   - fraction: A random number from 0 up to 1.
    init(_ policy: RefreshPolicy, lifetime: Double?, fraction: Double) {
        let life = lifetime ?? .infinity
        let fraction = policy.variesMargins ? fraction : 0
        background = min(policy.backgroundMargin.inSeconds * (1 - fraction / 4), life / 2)
        blocking = min(policy.blockingMargin.inSeconds * (1 + fraction / 2), life / 4)
    }
}
