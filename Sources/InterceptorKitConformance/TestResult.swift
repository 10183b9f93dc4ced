extension TransportConformance {
    /// The outcome of trying a requirement.
    public enum TestResult: Sendable, Hashable {
        /// The transport meets the requirement.
        case passed
        /// The transport does not meet the requirement, for this reason.
        case failed(String)
    }
}
