import InterceptorKit

/// The settings in units that make choosing fast.
struct BalancingNumbers: Sendable {
    let outlierDetection: OutlierDetection?
    let slowStart: Tick
    let failurePenalty: Double
    let latencyWindow: Tick
    let latencySlot: Tick
    let maxRetryAfter: Duration
    /// The time for which an endpoint counts as slow after its first failure: 100 ms.
    let firstPenalty = Duration.milliseconds(100).ticks
    /// The wait, in seconds, from which the wait counts as the latency of an endpoint whose latency is unknown.
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
