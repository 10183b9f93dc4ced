extension Call {
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
