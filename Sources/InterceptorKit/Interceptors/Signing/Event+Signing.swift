extension Event.Name {
    /// A signature was added: `key.id`.
    public static let signed: Self = "signature.added"
    /// No signature was added, because a redirect led to another origin.
    public static let signatureWithheld: Self = "signature.withheld"
    /// The server's clock differs from the local one so much that it refuses signatures: `offset`.
    public static let clockSkewLearned: Self = "signature.clock_skew_learned"
    /// A part that the signature covers was changed after signing: `changed`.
    public static let signatureBroken: Self = "signature.broken"
    /// A server asked for another signature, which is made: `label`.
    public static let signatureRequested: Self = "signature.requested"
}
