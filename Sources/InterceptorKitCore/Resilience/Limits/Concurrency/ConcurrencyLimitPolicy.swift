/// The limits for calls in flight and for calls that wait.
public struct ConcurrencyLimitPolicy: Sendable, Hashable {
    /// The calls that are counted together.
    public enum Scope: Sendable, Hashable {
        /// All calls.
        case allCalls
        /// The calls to each authority, for a limited number of authorities; see ``PerAuthority``.
        case eachAuthority(authorityLimit: Int = 64)
    }

    /// The maximum number of calls in flight.
    public var limit: Int

    /// The maximum number of calls that wait, in first-in, first-out order.
    public var queueLimit: Int

    /// The longest time that a call waits; `nil` means until its deadline.
    public var maxWait: Duration?

    /// The calls that are counted together.
    public var scope: Scope

    /// Creates a policy.
    /// - Parameters:
    ///   - limit: The maximum number of calls in flight.
    ///   - queueLimit: The maximum number of calls that wait. Defaults to none.
    ///   - maxWait: The longest time that a call waits. Defaults to `nil`, which means until its deadline.
    ///   - scope: The calls that are counted together. Defaults to all calls.
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

    /// A safety net for a whole client: 1,000 calls and no queue, as in Microsoft's standard pipeline.
    public static let safetyNet = ConcurrencyLimitPolicy(limit: 1000)

    /// 64 calls for each authority, which is the total limit of OkHttp's dispatcher, and a queue of 64.
    public static let perAuthority = ConcurrencyLimitPolicy(
        limit: 64,
        queueLimit: 64,
        scope: .eachAuthority()
    )

    /// Throws if a value isn't allowed.
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
