extension Event.Name {
    /// A request's body is sent compressed: `bytes.before` and `bytes.after` where they are known.
    public static let bodyCompressed: Self = "compression.applied"
    /// A request's body is sent as it is: `reason`.
    public static let bodyNotCompressed: Self = "compression.skipped"
}
