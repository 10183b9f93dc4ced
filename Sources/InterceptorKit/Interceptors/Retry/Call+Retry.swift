private enum RetryLimit: CallKey {
    static let defaultValue: Int? = nil
}

extension Call {
    /// The largest number of sends for this call alone; `nil`, the default, leaves it to the policy.
    ///
    /// One turns retries off. Values below one count as one.
    public var retryLimit: Int? {
        get { self[RetryLimit.self] }
        set { self[RetryLimit.self] = newValue }
    }
}
