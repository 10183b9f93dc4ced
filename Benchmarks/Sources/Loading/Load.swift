/// So many requests for one URL at any moment: each answer is followed by the next request.
public struct Load: Sendable, Hashable {
    /// What figures are reported under.
    public let name: String
    /// What is asked for.
    public let url: String
    /// The bytes of each answer.
    public let size: Int
    /// How many requests are under way.
    public let inFlight: Int

    /// Describes a load.
    public init(_ name: String, url: String, size: Int, inFlight: Int) {
        self.name = name
        self.url = url
        self.size = size
        self.inFlight = inFlight
    }
}
