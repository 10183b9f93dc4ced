/// How many calls may be under way at once, and how many more may wait for one of them to end.
public struct ConcurrencyLimitPolicy: Sendable, Hashable {
    /// What is counted together.
    public enum Scope: Sendable, Hashable {
        /// All calls.
        case allCalls
        /// Those to one authority, for so many authorities; see ``PerAuthority``.
        case eachAuthority(authorityLimit: Int = 64)
    }

    /// How many calls may be under way.
    public var limit: Int

    /// How many more may wait, the first to come the first to go.
    public var queueLimit: Int

    /// How long a call waits at most, if not until its deadline; `nil` for as long as it has.
    public var maxWait: Duration?

    /// What is counted together.
    public var scope: Scope

    /// Creates a policy.
    /// - Parameters:
    ///   - limit: How many calls may be under way.
    ///   - queueLimit: How many more may wait. Defaults to none.
    ///   - maxWait: How long a call waits at most. Defaults to as long as it has.
    ///   - scope: What is counted together. Defaults to all calls.
    public init(
        limit: Int,
        queueLimit: Int = 0,
        maxWait: Duration? = nil,
        scope: Scope = .allCalls
    ) {
        self.limit = limit
        self.queueLimit = queueLimit
        self.maxWait = maxWait
        self.scope = scope
    }

    /// A safety net for a whole client: 1,000 calls, and none waits, as in Microsoft's standard pipeline.
    public static let safetyNet = ConcurrencyLimitPolicy(limit: 1000)

    /// For each authority 64 calls, as OkHttp's dispatcher has in all, and 64 more that wait.
    public static let perAuthority = ConcurrencyLimitPolicy(
        limit: 64,
        queueLimit: 64,
        scope: .eachAuthority()
    )

    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "ConcurrencyLimitPolicy")
        try check.positive("limit", limit)
        try check.notNegative("queueLimit", queueLimit)
        if let maxWait { try check.positive("maxWait", maxWait) }
        if case .eachAuthority(let authorityLimit) = scope {
            try check.positive("authorityLimit", authorityLimit)
        }
    }
}

extension ConcurrencyLimitPolicy: CheckedPolicy {}
