extension Event.Name {
    /// Something took too long and was ended: `code`, `limit`.
    public static let timedOut: Self = "timeout.ended"
}
