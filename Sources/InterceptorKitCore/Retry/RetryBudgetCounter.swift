import InterceptorKitConcurrency
import Synchronization

/// An authority's tokens.
final class RetryBudgetCounter: Sendable {
    private struct Counts {
        var tokens: Double
        /// How many calls began lately: each counts less with time.
        var recent = 0.0
        var counted = Runtime.Instant(offset: .zero)

        // Sums that should be one may be a little less.
        func has(_ cost: Double) -> Bool { tokens + 1e-8 >= cost }
    }

    // For how many seconds a call raises what may be saved up.
    private static let traffic = 10.0

    private let counts: Lock<Counts>

    init(tokens: Double) { counts = Lock(Counts(tokens: tokens)) }

    var tokens: Double { counts.withLock { $0.tokens } }

    func countCall(at now: Runtime.Instant) {
        counts.withLock { counts in
            let passed = max(0, counts.counted.duration(to: now).inSeconds / Self.traffic)
            counts.recent = counts.recent / (1 + passed) + 1
            counts.counted = max(counts.counted, now)
        }
    }

    func pay(_ deposit: Double, reserve: Double, trafficShare: Double) {
        counts.withLock { counts in
            let most = reserve + trafficShare * counts.recent
            counts.tokens = min(max(most, counts.tokens), counts.tokens + deposit)
        }
    }

    /// Takes tokens that may be owed.
    func charge(_ cost: Double, owing debt: Double) {
        counts.withLock { $0.tokens = max(min($0.tokens, -debt), $0.tokens - cost) }
    }

    /// Takes tokens if there are enough.
    func take(_ cost: Double) -> Bool {
        counts.withLock { counts in
            guard counts.has(cost) else { return false }
            counts.tokens -= cost
            return true
        }
    }

    func has(_ cost: Double) -> Bool { counts.withLock { $0.has(cost) } }
}
