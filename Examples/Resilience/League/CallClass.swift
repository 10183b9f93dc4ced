#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Calls with something in common: a route, a tenant, a method. What becomes of them depends on nothing that
/// other calls do, so a strategy that makes them fail or wait does harm; see ``Harm``.
struct CallClass: Sendable {
    /// When calls are made.
    enum Pace: Sendable {
        /// So many a second, by callers that know nothing of each other.
        case random(Double)
        /// So many at once, by a timer.
        case every(_ seconds: Double, count: Int = 1, from: Double = 0)
    }

    /// How a request fails.
    enum Failure: Sendable {
        case status(Int, retryAfter: Int? = nil)
        case reset
        case silence
    }

    /// When requests fail.
    struct Trouble: Sendable {
        var failure: Failure
        /// The share of requests, drawn for each attempt.
        var share = 1.0
        /// One call in so many, and of it the first attempts; 0 for all calls and attempts.
        var oneCallIn = 0
        var attempts = 1
        /// Which of so many calls.
        var offset = 0
    }

    /// A body that follows its head at a rate.
    struct Download: Sendable {
        var chunks: Int
        var bytesPerChunk: Int
        /// Seconds between chunks.
        var gap: Double
    }

    var name: String
    var pace = Pace.random(1)
    /// The median of the time until a response, in seconds, and how far others are from it: 99 of 100 take at
    /// most 99 to the power of the spread times as long.
    var latency = 0.03
    var spread = 0.15
    /// A second latency, of a share of the responses: another region, or a slow tail.
    var otherLatency = 0.0
    var otherShare = 0.0
    var troubles: [Trouble] = []
    var download: Download?

    init(_ name: String, _ change: (inout CallClass) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }
}

extension CallClass {
    /// How long a request takes, for two draws from 0 up to 1.
    func latency(_ first: Double, _ second: Double) -> Double {
        let median = second < otherShare ? otherLatency : latency
        let fraction = min(max(first, 0.001), 0.999)
        // The log-logistic distribution, whose quantiles need no table.
        return median * pow(fraction / (1 - fraction), spread)
    }

    /// How a request fails; `nil` if it does not.
    func failure(call index: Int, attempt: Int, _ draw: Double) -> Failure? {
        troubles.first { trouble in
            guard draw < trouble.share else { return false }
            guard trouble.oneCallIn > 0 else { return true }
            return index % trouble.oneCallIn == trouble.offset && attempt <= trouble.attempts
        }?.failure
    }
}
