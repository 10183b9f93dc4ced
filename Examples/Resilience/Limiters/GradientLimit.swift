/// Netflix's Gradient2: a limit that follows the ratio of usual to present latencies.
struct GradientLimit: Sendable {
    // The defaults of concurrency-limits 0.4's Gradient2Limit.
    private static let initial = 20.0
    private static let range = 20.0...200.0
    private static let queue = 4.0
    private static let tolerance = 1.5
    private static let smoothing = 0.2
    private static let longWindow = 600.0

    private(set) var limit = GradientLimit.initial
    private var usual = 0.0
    private var samples = 0.0

    /// Takes the latency of a call in seconds, and how many were in flight.
    mutating func add(_ latency: Double, inFlight: Int) {
        samples += 1
        // The first ten count alike; then an exponential average over 600.
        let weight = samples <= 10 ? 1 / samples : 2 / (Self.longWindow + 1)
        usual += (latency - usual) * weight
        if usual / latency > 2 { usual *= 0.95 }
        guard Double(inFlight) * 2 >= limit, latency > 0 else { return }
        let gradient = min(1, max(0.5, Self.tolerance * usual / latency))
        let next = limit * (1 - Self.smoothing) + (limit * gradient + Self.queue) * Self.smoothing
        limit = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}
