/// Counts the calls under way, for a ``ConcurrencyLimitInterceptor`` or several that share it.
public final class ConcurrencyLimiter: Sendable {
    /// How many may be; the default numbers if those given cannot work.
    public let policy: ConcurrencyLimitPolicy

    let problem: SettingError?
    private let all: PermitGate
    private let each: PerAuthority<PermitGate>?

    /// Creates a limiter.
    /// - Parameter policy: How many calls may be under way. Defaults to a safety net of 1,000.
    public init(policy: ConcurrencyLimitPolicy = .safetyNet) {
        problem = policy.problem
        let policy = problem == nil ? policy : .safetyNet
        self.policy = policy
        all = PermitGate(nil, limit: policy.limit, queueLimit: policy.queueLimit)
        each =
            if case .eachAuthority(let authorityLimit) = policy.scope {
                PerAuthority(limit: authorityLimit) { authority in
                    PermitGate(authority, limit: policy.limit, queueLimit: policy.queueLimit)
                }
            } else {
                nil
            }
    }

    /// How many calls are under way.
    /// - Parameter authority: Where to, if the policy counts for each authority.
    public func underWay(_ authority: String? = nil) -> Int { known(authority)?.inUse ?? 0 }

    /// How many calls wait.
    /// - Parameter authority: Where to, if the policy counts for each authority.
    public func waiting(_ authority: String? = nil) -> Int { known(authority)?.waiting ?? 0 }

    func gate(_ authority: @autoclosure () -> String?) -> PermitGate {
        guard let each else { return all }
        return each[authority()]
    }

    private func known(_ authority: String?) -> PermitGate? {
        guard let each else { return all }
        return each.known(authority)
    }
}
