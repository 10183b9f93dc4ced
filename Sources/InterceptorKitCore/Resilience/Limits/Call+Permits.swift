private enum CallPermits: CallKey {
    static var defaultValue: Int { 1 }
}

extension Call {
    /// The number of permits that this call takes from each limit. Defaults to 1.
    ///
    /// ```swift
    /// let report = try await api.send(.get("/report")) { $0.permits = 10 }
    /// ```
    ///
    /// Use it for a call that costs as much as several others: it counts as that many in rate limits, concurrency limits
    /// and adaptive limits. Values below 1 count as 1, and values above a billion as a billion. A rate limit or a
    /// concurrency limit throws a ``SettingError`` if it never gives so many at once, which means more than
    /// ``RateLimitPolicy/burst`` or ``ConcurrencyLimitPolicy/limit``.
    public var permits: Int {
        get { self[CallPermits.self] }
        set { self[CallPermits.self] = min(max(1, newValue), 1_000_000_000) }
    }

    /// Throws if the call asks for more permits than a limit ever gives at once.
    /// - Parameter setting: The setting that says how many, as in `RateLimitPolicy.burst`.
    package func checkPermits(upTo most: Int, _ setting: String) throws(SettingError) {
        try SettingCheck(of: "Call").require(
            permits <= most,
            "permits",
            "\(permits)",
            "at most \(most)",
            "More are never given at once: that is \(setting). Raise it, or take fewer."
        )
    }
}
