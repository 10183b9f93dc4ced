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
    /// The maximum number of attempts for this call; `nil`, the default, uses the policy's.
    ///
    /// A value of one turns retries and hedges off. Values below one count as one, and values above five as
    /// five, unless the policy allows many attempts.
    public var retryLimit: Int? {
        get { self[RetrySettingsKey.self].limit }
        set { self[RetrySettingsKey.self].limit = newValue }
    }

    /// Whether this call is idempotent; `nil`, the default, lets the policy decide from the input.
    ///
    /// Set it if you know better than the method: `true` for a `POST` that only searches, `false` for a `GET`
    /// that counts.
    public var isIdempotent: Bool? {
        get { self[RetrySettingsKey.self].isIdempotent }
        set { self[RetrySettingsKey.self].isIdempotent = newValue }
    }

    /// Validates a retry policy and uses it for this call only.
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
