extension Call {
    /// Validates a retry policy and uses it for this call only.
    /// - Throws: ``SettingError``.
    public mutating func useRetryPolicy<Input>(
        _ policy: RetryPolicy<Input>
    ) throws(SettingError) {
        try policy.validate()
        self[ResendSettingsKey.self].rules = RetryRules(policy)
    }

    func retryRules<Input>(for input: Input.Type = Input.self) -> RetryRules<Input>? {
        guard let rules = self[ResendSettingsKey.self].rules else { return nil }
        return rules as? RetryRules<Input>
    }
}
