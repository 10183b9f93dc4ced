import InterceptorKit

/// The settings in the units of the inner loop.
struct BalancingNumbers: Sendable {
    let outlierDetection: OutlierDetection?
    let slowStart: Tick
    let failurePenalty: Double
    let latencyWindow: Tick
    let latencySlot: Tick
    let maxRetryAfter: Duration
    /// For how long the first failure makes an endpoint count as slow: 100 ms.
    let firstPenalty = Duration.milliseconds(100).ticks
    /// The wait, in seconds, from which an endpoint without a known latency counts as that slow.
    let shortestSilence = 0.01

    init(_ settings: LoadBalancingSettings) {
        outlierDetection = settings.outlierDetection
        slowStart = settings.slowStart?.ticks ?? 0
        failurePenalty = settings.failurePenalty.inSeconds
        latencyWindow = settings.latencyWindow.ticks
        latencySlot = max(1, settings.latencyWindow.ticks / 10)
        maxRetryAfter = settings.maxRetryAfter
    }
}
