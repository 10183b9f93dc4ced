import InterceptorKit

/// An instant in units of 2^30 attoseconds (1.07 ns). Its 64 bits cover 300 years. Sums and comparisons of 128-bit
/// `Duration` values are slower, and each choice needs several.
typealias Tick = Int64

extension Runtime.Instant {
    var tick: Tick { offset.ticks }
}

extension Duration {
    var ticks: Tick { Tick(truncatingIfNeeded: attoseconds >> 30) }

    init(ticks: Tick) { self = Duration(attoseconds: Int128(ticks) << 30) }
}

extension Tick {
    /// The difference in seconds.
    var seconds: Double { Double(self) * 0x1p30 * 1e-18 }

    /// Returns the number of units in some seconds.
    static func of(seconds: Double) -> Tick { Tick(seconds * 1e18 * 0x1p-30) }
}
