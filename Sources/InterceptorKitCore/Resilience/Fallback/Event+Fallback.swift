extension Event.Name {
    /// Something else was returned in place of a failure: `reason`.
    public static let fallbackUsed: Self = "fallback.used"
    /// What should have been returned in place of a failure failed itself: `reason`, `error.type`.
    public static let fallbackFailed: Self = "fallback.failed"
}
