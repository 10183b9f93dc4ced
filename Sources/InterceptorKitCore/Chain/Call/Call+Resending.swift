/// What a call says about being sent again.
struct ResendSettings: Sendable {
    var limit: Int?
    var isIdempotent: Bool?
    /// The rules of its own policy.
    var rules: (any AnyObject & Sendable)?
}

// One key for all, because every call is asked for them.
enum ResendSettingsKey: CallKey {
    static let defaultValue = ResendSettings()
}

extension Call {
    /// The maximum number of attempts for this call; `nil`, the default, uses the policy's.
    ///
    /// A value of one turns retries and hedges off. Values below one count as one, and values above five as
    /// five, unless the policy allows many attempts.
    public var retryLimit: Int? {
        get { self[ResendSettingsKey.self].limit }
        set { self[ResendSettingsKey.self].limit = newValue }
    }

    /// Whether this call is idempotent; `nil`, the default, lets the policy decide from the input.
    ///
    /// Set it if you know better than the method: `true` for a `POST` that only searches, `false` for a `GET`
    /// that counts.
    public var isIdempotent: Bool? {
        get { self[ResendSettingsKey.self].isIdempotent }
        set { self[ResendSettingsKey.self].isIdempotent = newValue }
    }
}
