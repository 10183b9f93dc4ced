/// What a ``SharedRateLimitInterceptor`` does when its store cannot be asked.
public struct RateLimitOutagePolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case closed
        case open
        case local(replicas: Int)
    }

    let kind: Kind

    /// Rejects calls: nothing passes that was not counted.
    public static let closed = RateLimitOutagePolicy(kind: .closed)

    /// Admits calls, without any limit.
    public static let open = RateLimitOutagePolicy(kind: .open)

    /// Limits in this process alone, each of so many replicas by an equal share of the quota: together they
    /// admit no more than the quota, and a burst once more.
    ///
    /// With a number that is too small they admit more: with 1, the whole quota each.
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
