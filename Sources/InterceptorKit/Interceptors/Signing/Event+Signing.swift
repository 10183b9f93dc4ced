extension Event.Name {
    /// The server's clock differs from ours by so much that it refuses signatures: `offset`.
    public static let clockSkewLearned: Self = "signature.clock_skew_learned"
    /// Something that the signature covers was changed after signing: `changed`.
    public static let signatureBroken: Self = "signature.broken"
}
