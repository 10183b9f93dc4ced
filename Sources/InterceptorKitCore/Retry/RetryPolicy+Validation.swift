extension RetryPolicy {
    /// Throws if the numbers cannot work.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RetryPolicy")
        try check.require(
            maxAttempts >= 1,
            "maxAttempts",
            "\(maxAttempts)",
            "at least 1",
            "It counts the first send."
        )
        try check.require(
            maxAttempts <= RetryLimits.usualAttempts || allowsManyAttempts,
            "maxAttempts",
            "\(maxAttempts)",
            "at most \(RetryLimits.usualAttempts)",
            "More attempts multiply the load of a failing service. Set allowsManyAttempts if they are "
                + "meant."
        )
        try backoff.validate(as: "backoff", check)
        try overloadBackoff.validate(as: "overloadBackoff", check)
        try check.notNegative("maxRetryAfter", maxRetryAfter)
        try budget?.validate()
    }
}

extension Backoff {
    fileprivate func validate(as name: String, _ check: SettingCheck) throws(SettingError) {
        try check.notNegative("\(name).base", base)
        try check.notNegative("\(name).cap", cap)
        let isGrowing = growth >= 1 && growth.isFinite
        try check.require(isGrowing, "\(name).growth", "\(growth)", "a number from 1")
        guard case .within(let range) = jitter else { return }
        let isAllowed = range.lowerBound >= 0 && range.upperBound <= 100
        try check.require(isAllowed, "\(name).jitter", "within \(range)", "within 0 to 100")
    }
}
