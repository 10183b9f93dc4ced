import InterceptorKit

/// Computes progress from byte counts and their times.
///
/// The speed is an exponential moving average, so that one slow or fast second does not dominate; dividing it by the
/// weight of its samples makes it correct from the first sample.
struct ProgressMeter {
    // Five seconds match a person's idea of "now"; in less than a tenth of a second, the arrival of a chunk is chance.
    private static let memory = 5.0
    private static let sampleLength = 0.1

    private(set) var progress = HTTP.Progress(completedBytes: 0, totalBytes: nil)
    private var sampleStart: (instant: Runtime.Instant, bytes: Int)
    private var weightedSpeed = 0.0
    private var weight = 0.0

    init(at now: Runtime.Instant) { sampleStart = (now, 0) }

    /// Begins to measure after the bytes that already exist, which took no time.
    mutating func begin(with bytes: Int, of total: Int?, at now: Runtime.Instant) {
        sampleStart = (now, bytes)
        set(bytes, total)
    }

    mutating func report(_ bytes: Int, of total: Int?, at now: Runtime.Instant) {
        guard bytes >= progress.completedBytes else {
            begin(with: bytes, of: total, at: now)
            return
        }
        let elapsed = sampleStart.instant.duration(to: now).inSeconds
        if elapsed >= Self.sampleLength {
            let speed = Double(bytes - sampleStart.bytes) / elapsed
            let share = elapsed / (elapsed + Self.memory)
            weightedSpeed += (speed - weightedSpeed) * share
            weight += (1 - weight) * share
            sampleStart = (now, bytes)
        }
        set(bytes, total)
    }

    private mutating func set(_ bytes: Int, _ total: Int?) {
        progress = HTTP.Progress(
            completedBytes: bytes,
            totalBytes: total,
            bytesPerSecond: weight > 0 ? weightedSpeed / weight : nil
        )
    }
}
