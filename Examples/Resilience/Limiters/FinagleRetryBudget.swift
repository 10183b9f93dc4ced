import InterceptorKit
import Synchronization

/// Finagle's retry budget: a share of the first attempts of the last seconds, and a few retries a second
/// whatever the traffic.
final class FinagleRetryBudget: RetryLimiter {
    private struct Counts {
        var first: [Runtime.Instant] = []
        var retries: [Runtime.Instant] = []

        mutating func forget(before instant: Runtime.Instant) {
            first.removeFirst(first.firstIndex { $0 >= instant } ?? first.count)
            retries.removeFirst(retries.firstIndex { $0 >= instant } ?? retries.count)
        }
    }

    private let ratio: Double
    private let floorPerSecond: Double
    private let lifetime: Duration
    private let counts = Mutex(Counts())

    /// Creates a budget with the numbers of Finagle's `RetryBudget.apply` (22.12): a fifth of the first
    /// attempts and ten a second, over ten seconds.
    init(ratio: Double = 0.2, floorPerSecond: Double = 10, lifetime: Duration = .seconds(10)) {
        self.ratio = ratio
        self.floorPerSecond = floorPerSecond
        self.lifetime = lifetime
    }

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {
        counts.withLock { $0.first.append(instant) }
    }

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        counts.withLock { counts in
            counts.forget(before: instant.advanced(by: lifetime * -1))
            let earned =
                Double(counts.first.count) * ratio + floorPerSecond * (lifetime / .seconds(1))
            guard Double(counts.retries.count) + 1 <= earned + 1e-8 else { return false }
            counts.retries.append(instant)
            return true
        }
    }
}
