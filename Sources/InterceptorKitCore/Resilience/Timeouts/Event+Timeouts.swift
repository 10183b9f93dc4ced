extension Event.Name {
    /// A time limit ended work: `code`, `limit`.
    public static let timedOut: Self = "timeout.ended"
}
