extension TransportConformance {
    /// What came of trying a behaviour.
    public enum Verdict: Sendable, Hashable {
        /// The transport behaves so.
        case passed
        /// It does not, for the reason given.
        case failed(String)
    }
}
