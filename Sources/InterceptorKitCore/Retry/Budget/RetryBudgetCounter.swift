import InterceptorKitConcurrency
import Synchronization

/// An authority's tokens.
final class RetryBudgetCounter: Sendable {
    private struct Counts {
        var tokens: Double
        /// How many calls began lately: each counts less with time.
        var recent = 0.0
        var counted = Runtime.Instant(offset: .zero)
        var refilled = Runtime.Instant(offset: .zero)

        // Sums that should be one may be a little less.
        func has(_ cost: Double) -> Bool { tokens + 1e-8 >= cost }

        mutating func refill(to reserve: Double, by rate: Double, at now: Runtime.Instant) {
            let passed = max(0, refilled.duration(to: now).inSeconds)
            refilled = max(refilled, now)
            if tokens < reserve { tokens = min(reserve, tokens + passed * rate) }
        }
    }

    // For how many seconds a call raises what may be saved up.
    private static let traffic = 10.0

    private let reserve: Double
    private let tokensPerSecond: Double
    private let counts: Lock<Counts>

    /// Creates a counter with tokens, up to as many of which time gives back at a rate.
    init(tokens: Double, tokensPerSecond: Double = 0) {
        reserve = tokens
        self.tokensPerSecond = tokensPerSecond
        counts = Lock(Counts(tokens: tokens))
    }

    var tokens: Double { counts.withLock { $0.tokens } }

    func countCall(at now: Runtime.Instant) {
        counts.withLock { counts in
            counts.refill(to: reserve, by: tokensPerSecond, at: now)
            let passed = max(0, counts.counted.duration(to: now).inSeconds / Self.traffic)
            counts.recent = counts.recent / (1 + passed) + 1
            counts.counted = max(counts.counted, now)
        }
    }

    /// Adds what time has brought.
    func refill(at now: Runtime.Instant) {
        counts.withLock { $0.refill(to: reserve, by: tokensPerSecond, at: now) }
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
