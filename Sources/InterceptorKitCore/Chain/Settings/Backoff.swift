/// The wait before the next attempt, computed from the number of failed ones.
///
/// The upper limit of the wait grows with each failure, from `base` to `cap`. Jitter places the wait below that limit,
/// so that clients that failed together do not come back together.
///
/// Invalid settings are corrected: negative durations count as zero, a growth below one or NaN counts as one, and no
/// wait exceeds a century.
public struct Backoff: Sendable, Hashable {
    /// The position of a wait below the upper limit.
    public enum Jitter: Sendable, Hashable {
        /// Between zero and the upper limit, which spreads waits best (AWS Architecture Blog, Brooker 2015).
        case full
        /// In the upper half of the range.
        case equal
        /// Between `base` and three times the previous wait, whatever the number of failures (same source), so waits of
        /// different clients grow differently.
        case decorrelated
        /// Between two fractions of the upper limit, as in `0.8...1.2` for gRPC's ±20 % (gRFC A6). With a fraction
        /// above one, a wait may exceed `cap` by that factor.
        case within(ClosedRange<Double>)
        /// No jitter: exactly the upper limit, for tests and for a single client.
        case none
    }

    /// The upper limit after the first failure.
    public var base: Duration
    /// The largest upper limit.
    public var cap: Duration
    /// The factor by which the upper limit grows with each failure.
    public var growth: Double
    /// The position of a wait below the upper limit.
    public var jitter: Jitter

    /// Creates a backoff.
    /// - Parameters:
    ///   - base: The upper limit after the first failure. Defaults to 50 ms (AWS retry behaviour 2.1).
    ///   - cap: The largest upper limit. Defaults to 20 s (the same source).
    ///   - growth: The factor by which the upper limit grows with each failure. Defaults to 2.
    ///   - jitter: The position of a wait below the upper limit. Defaults to full jitter.
    public init(
        base: Duration = .milliseconds(50),
        cap: Duration = .seconds(20),
        growth: Double = 2,
        jitter: Jitter = .full
    ) {
        self.base = base
        self.cap = cap
        self.growth = growth
        self.jitter = jitter
    }

    /// Returns the wait after the given number of failures, never negative.
    /// - Parameters:
    ///   - failures: The number of failed attempts, from 1.
    ///   - fraction: A random number from 0 up to 1; an invalid number counts as 0.
    ///   - previous: The previous wait, for decorrelated jitter. Defaults to `nil`, which counts as `base`.
    public func delay(
        after failures: Int,
        fraction: Double,
        previous: Duration? = nil
    ) -> Duration {
        let fraction = fraction.within(0...1)
        let upper = upperEnd(after: failures)
        switch jitter {
        case .full: return upper * fraction
        case .equal: return upper * (0.5 + fraction / 2)
        case .none: return upper
        case .within(let range):
            let lower = range.lowerBound.within(0...100)
            return upper * (lower + (range.upperBound.within(0...100) - lower) * fraction)
        case .decorrelated:
            let (base, cap) = bounds
            let reach = max(base, (previous ?? base).within(base...cap) * 3.0)
            return min(cap, base + (reach - base) * fraction)
        }
    }

    private func upperEnd(after failures: Int) -> Duration {
        let (base, cap) = bounds
        let factor = power(growth.isFinite ? max(1, growth) : 1, max(failures, 1) - 1)
        // Compared before the multiplication, so that no number of failures can overflow.
        guard base > .zero else { return .zero }
        return factor < cap / base ? base * factor : cap
    }

    private var bounds: (base: Duration, cap: Duration) {
        let cap = cap.within(.zero ... .century)
        return (base.within(.zero...cap), cap)
    }
}

/// Computes the power by squaring, in as many steps as the exponent has bits; overflow gives infinity.
private func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
        if rest & 1 == 1 { result *= square }
        square *= square
        rest >>= 1
    }
    return result
}

extension Comparable {
    fileprivate func within(_ bounds: ClosedRange<Self>) -> Self {
        // NaN is not above the lower bound, and so becomes the lower bound.
        self > bounds.lowerBound ? min(self, bounds.upperBound) : bounds.lowerBound
    }
}

extension Duration {
    fileprivate static var century: Duration { .seconds(100 * 365 * 86_400) }
}
