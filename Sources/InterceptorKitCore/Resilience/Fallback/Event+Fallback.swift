extension Event.Name {
    /// A fallback was returned in place of a failure: `reason`.
    public static let fallbackUsed: Self = "fallback.used"
    /// A fallback failed itself: `reason`, `error.type`.
    public static let fallbackFailed: Self = "fallback.failed"
}
