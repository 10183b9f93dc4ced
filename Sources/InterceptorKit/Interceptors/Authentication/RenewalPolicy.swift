/// When a credential is renewed, and what happens when that is slow, fails or does not help.
public struct RenewalPolicy: Sendable, Hashable {
    /// A credential with this much time left is renewed in the background while requests go on with
    /// it. Defaults to 60 s; shortened by chance by up to a quarter, so that clients which signed in
    /// together do not renew together, and to half a renewed credential's life.
    public var backgroundMargin: Duration = .seconds(60)

    /// One with this much time left is renewed before it is used, because it could expire on the way.
    /// Defaults to 10 s, lengthened by chance by up to half, as the AWS identity cache has it, and
    /// shortened to a quarter of a renewed credential's life.
    public var blockingMargin: Duration = .seconds(10)

    /// How long a call waits for a credential at most. Defaults to 10 s. A call's deadline may be
    /// nearer. The renewal goes on without it.
    public var waitLimit: Duration = .seconds(10)

    /// A renewal that has not ended after this time no longer keeps another from beginning. Defaults
    /// to 60 s: until then its request may still be on its way, and a second one with the same refresh
    /// token could end the session.
    public var abandonment: Duration = .seconds(60)

    /// How long the source is left alone after it failed; calls that need it meanwhile get its error at
    /// once. Defaults to 1 s, doubling with each further failure to 60 s.
    public var backoff = Backoff(base: .seconds(1), cap: .seconds(60), jitter: .none)

    /// How many renewals may succeed within ``window`` before no other is tried: a server that rejects
    /// each new credential would have us renew for ever. Defaults to 10.
    public var limit = 10

    /// The time in which ``limit`` renewals are too many. Defaults to 60 s.
    public var window: Duration = .seconds(60)

    /// All defaults.
    public static let standard = RenewalPolicy()

    func validate() throws(TokenError) {
        func require(_ isFine: Bool, _ reason: String) throws(TokenError) {
            guard isFine else { throw TokenError.invalidPolicy(reason) }
        }
        try require(
            blockingMargin >= .zero && backgroundMargin >= blockingMargin,
            "its backgroundMargin must be at least its blockingMargin, and that at least zero"
        )
        try require(
            waitLimit > .zero && abandonment >= waitLimit,
            "its abandonment must be at least its waitLimit, and that more than zero"
        )
        try require(limit > 0 && window > .zero, "its limit and window must be more than zero")
    }
}

/// How long before its end one credential is renewed, drawn once so that each of its uses agrees.
struct RenewalMargins: Sendable, Equatable {
    /// Seconds before its end from which it is renewed in the background.
    let background: Double
    /// Seconds before its end from which it is renewed before it is used.
    let blocking: Double

    /// - Parameters:
    ///   - lifetime: How long it is accepted, in seconds; `nil` if unknown.
    ///   - fraction: A random number from 0 up to 1.
    init(_ policy: RenewalPolicy, lifetime: Double?, fraction: Double) {
        let life = lifetime ?? .infinity
        background = min(policy.backgroundMargin.inSeconds * (1 - fraction / 4), life / 2)
        blocking = min(policy.blockingMargin.inSeconds * (1 + fraction / 2), life / 4)
    }
}
