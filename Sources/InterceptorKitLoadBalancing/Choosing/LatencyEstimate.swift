/// The latency of an endpoint: a mean over time slots, in which each slot has half the weight of the next.
///
/// A change shows within two slots. After a window without requests, the latency is unknown again.
struct LatencyEstimate: Sendable {
    private var sum = 0.0
    private var count = 0.0
    private var slotEnd: Tick = 0
    private var latest: Tick = 0

    mutating func record(_ seconds: Double, at now: Tick, slot: Tick) {
        if now >= slotEnd {
            let passed = count == 0 ? 0 : (now - slotEnd) / slot + 1
            let share = passed < 32 ? 1 / Double(UInt64(1) << UInt64(max(0, passed))) : 0
            sum *= share
            count *= share
            slotEnd = now + slot
        }
        sum += seconds
        count += 1
        latest = max(latest, now)
    }

    /// Returns the mean in seconds; `nil` if nothing was recorded within the window.
    func mean(at now: Tick, window: Tick) -> Double? {
        count > 0 && now - latest < window ? sum / count : nil
    }

    mutating func forget() { self = LatencyEstimate() }
}
