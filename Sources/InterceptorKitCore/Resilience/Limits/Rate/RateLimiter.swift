/// A limiter that spaces calls, for one or several ``RateLimitInterceptor`` values.
public final class RateLimiter: Sendable {
    /// The rate limit. If the given policy isn't valid, the limiter only follows the server's hints.
    public let policy: RateLimitPolicy

    let problem: SettingError?
    private let queues: PerAuthority<RateLimiterQueue>

    /// Creates a limiter.
    /// - Parameter policy: The rate limit. Defaults to none except the server's hints.
    public init(policy: RateLimitPolicy = .asAdvised) {
        problem = policy.problem
        let policy = problem == nil ? policy : .asAdvised
        self.policy = policy
        queues = PerAuthority(limit: policy.authorityLimit) { key in
            RateLimiterQueue(authority(ofLimitKey: key), policy: policy)
        }
    }

    /// Returns the number of calls to an authority that wait.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func waiting(_ authority: String? = nil) -> Int { queues.known(authority)?.waiting ?? 0 }

    func queue(_ key: String?) -> RateLimiterQueue { queues[key] }

    /// Whether calls with this partition share the server's hints.
    func sharesHints(in partition: String?) -> Bool {
        partition != nil || policy.isOnePartition
    }
}
