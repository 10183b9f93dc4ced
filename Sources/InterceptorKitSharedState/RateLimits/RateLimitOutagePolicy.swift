/// The behaviour of a ``SharedRateLimitInterceptor`` while its store is unavailable.
public struct RateLimitOutagePolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case closed
        case open
        case local(replicas: Int)
    }

    let kind: Kind

    /// Rejects calls: no call passes without being counted.
    public static let closed = RateLimitOutagePolicy(kind: .closed)

    /// Admits calls, without any limit.
    public static let open = RateLimitOutagePolicy(kind: .open)

    /// Limits in this process alone: each of `replicas` replicas has an equal share of the quota. Together they admit
    /// no more than the quota and one more burst.
    ///
    /// With too small a number they admit more: with 1, each admits the whole quota.
    public static func local(replicas: Int) -> RateLimitOutagePolicy {
        RateLimitOutagePolicy(kind: .local(replicas: min(max(1, replicas), 1_000_000)))
    }
}

extension RateLimitOutagePolicy: CustomStringConvertible {
    /// The policy as text, as in `local, one of 8`.
    public var description: String {
        switch kind {
        case .closed: "closed"
        case .open: "open"
        case .local(let replicas): "local, one of \(replicas)"
        }
    }
}
