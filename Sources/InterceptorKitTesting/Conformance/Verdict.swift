extension TransportConformance {
    /// The outcome of trying a requirement.
    public enum Verdict: Sendable, Hashable {
        /// The transport behaves so.
        case passed
        /// It does not, for the reason given.
        case failed(String)
    }
}
