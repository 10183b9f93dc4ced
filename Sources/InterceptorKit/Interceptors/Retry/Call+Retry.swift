private struct RetrySettings: Sendable {
    var limit: Int?
    var isIdempotent: Bool?
    var rules: (any AnyObject & Sendable)?
}

// One key for all, because every call is asked for them.
private enum RetrySettingsKey: CallKey {
    static let defaultValue = RetrySettings()
}

extension Call {
    /// The largest number of sends for this call alone; `nil`, the default, leaves it to the policy.
    ///
    /// One turns retries and hedges off. Values below one count as one, and those above five as five
    /// unless the policy allows many attempts.
    public var retryLimit: Int? {
        get { self[RetrySettingsKey.self].limit }
        set { self[RetrySettingsKey.self].limit = newValue }
    }

    /// Whether sending this call's input twice means the same as once; `nil`, the default, leaves it to
    /// the policy, which goes by the input.
    ///
    /// For whoever knows better than the method, in both directions: a `POST` that only searches, a
    /// `GET` that counts.
    public var isIdempotent: Bool? {
        get { self[RetrySettingsKey.self].isIdempotent }
        set { self[RetrySettingsKey.self].isIdempotent = newValue }
    }

    /// Has this call alone repeated by another policy, which is validated here.
    /// - Throws: ``SettingError``.
    public mutating func useRetryPolicy<Input>(
        _ policy: RetryPolicy<Input>
    ) throws(SettingError) {
        try policy.validate()
        self[RetrySettingsKey.self].rules = RetryRules(policy)
    }

    func retryRules<Input>(for input: Input.Type = Input.self) -> RetryRules<Input>? {
        guard let rules = self[RetrySettingsKey.self].rules else { return nil }
        return rules as? RetryRules<Input>
    }
}
