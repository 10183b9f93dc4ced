/// A counter of the calls in flight, for one or several ``ConcurrencyLimitInterceptor`` values.
public final class ConcurrencyLimiter: Sendable {
    /// The limits; the default policy if the given one isn't valid.
    public let policy: ConcurrencyLimitPolicy

    let problem: SettingError?
    private let all: AsyncSemaphore
    private let each: PerAuthority<AsyncSemaphore>?

    /// Creates a limiter.
    /// - Parameter policy: The limits. Defaults to a safety net of 1,000.
    public init(policy: ConcurrencyLimitPolicy = .safetyNet) {
        problem = policy.problem
        let policy = problem == nil ? policy : .safetyNet
        self.policy = policy
        all = AsyncSemaphore(nil, limit: policy.limit, queueLimit: policy.queueLimit)
        each =
            if case .eachAuthority(let authorityLimit) = policy.scope {
                PerAuthority(limit: authorityLimit) { authority in
                    AsyncSemaphore(authority, limit: policy.limit, queueLimit: policy.queueLimit)
                }
            } else {
                nil
            }
    }

    /// Returns the number of permits in use: that of calls in flight, unless some take several (``Call/permits``).
    /// - Parameter authority: The authority, if the policy counts each authority separately.
    public func inFlight(_ authority: String? = nil) -> Int { known(authority)?.inUse ?? 0 }

    /// Returns the number of calls that wait.
    /// - Parameter authority: The authority, if the policy counts each authority separately.
    public func waiting(_ authority: String? = nil) -> Int { known(authority)?.waiting ?? 0 }

    func semaphore(_ authority: @autoclosure () -> String?) -> AsyncSemaphore {
        guard let each else { return all }
        return each[authority()]
    }

    private func known(_ authority: String?) -> AsyncSemaphore? {
        guard let each else { return all }
        return each.known(authority)
    }
}
