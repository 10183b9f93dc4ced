import Reporting

/// What a load came to in one stretch of time.
public struct Sample: Sendable {
    /// The requests answered.
    public let requests: Int
    /// How long it took.
    public let seconds: Double
    /// The processor time spent on it in seconds; `nil` if it is not known.
    public let processorSeconds: Double?
    /// How long the middle one of the requests took, in seconds; `nil` if it is not known.
    public let latency50: Double?
    /// How long all but one request in a hundred took at most, in seconds; `nil` if it is not known.
    public let latency99: Double?

    /// Creates a sample from the figures of requests, taken by somebody else.
    public init(
        requests: Int,
        seconds: Double,
        processorSeconds: Double?,
        latency50: Double?,
        latency99: Double?
    ) {
        self.requests = requests
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.latency50 = latency50
        self.latency99 = latency99
    }

    /// Creates a sample from the time each request took, in seconds.
    public init(_ latencies: [Double], seconds: Double, processorSeconds: Double) {
        self.init(
            requests: latencies.count,
            seconds: seconds,
            processorSeconds: processorSeconds,
            latency50: latencies.percentile(50),
            latency99: latencies.percentile(99)
        )
    }

    /// Requests in a second.
    public var rate: Double { Double(requests) / seconds }

    /// Processor time of a request, in seconds.
    var processorSecondsPerRequest: Double? { processorSeconds.map { $0 / Double(requests) } }
}
