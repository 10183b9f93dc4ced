extension Event.Name {
    /// A request's body is sent compressed: `bytes.before` and `bytes.after` if they are known.
    public static let bodyCompressed: Self = "compression.applied"
    /// A request's body is sent uncompressed: `reason`.
    public static let bodyNotCompressed: Self = "compression.skipped"
}
