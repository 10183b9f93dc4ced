extension Event.Name {
    /// A call waits for the send of an equal call: `call`.
    public static let coalesced: Self = "coalescing.joined"
}
