/// Spaces calls out, for a ``RateLimitInterceptor`` or several that share it.
public final class RateLimiter: Sendable {
    /// How many calls may begin; that of what the other side says if the numbers given cannot work.
    public let policy: RateLimitPolicy

    let problem: SettingError?
    private let gates: PerAuthority<RateGate>

    /// Creates a limiter.
    /// - Parameter policy: How many calls may begin. Defaults to as many as the other side says.
    public init(policy: RateLimitPolicy = .asAdvised) {
        problem = policy.problem
        let policy = problem == nil ? policy : .asAdvised
        self.policy = policy
        gates = PerAuthority(limit: policy.authorityLimit) { RateGate($0, policy: policy) }
    }

    /// How many calls to an authority wait for their turn.
    /// - Parameter authority: As in `https://api.example.com`; `nil` for inputs that cannot tell theirs.
    public func waiting(_ authority: String? = nil) -> Int { gates.known(authority)?.waiting ?? 0 }

    func gate(_ authority: String?) -> RateGate { gates[authority] }
}
