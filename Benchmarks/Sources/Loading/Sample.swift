/// What a load came to in one stretch of time.
public struct Sample: Sendable {
    /// How long it took.
    public let seconds: Double
    /// The processor time this process spent, in seconds.
    public let processorSeconds: Double
    /// How long each request took, in seconds.
    public let latencies: [Double]

    /// Requests in a second.
    public var rate: Double { Double(latencies.count) / seconds }

    /// Processor time of a request, in seconds.
    public var processorSecondsPerRequest: Double { processorSeconds / Double(latencies.count) }
}
