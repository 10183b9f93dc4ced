extension Event.Name {
    /// A call waits for the send of another that is the same: `call`.
    public static let coalesced: Self = "coalescing.joined"
}
