import InterceptorKit

/// An instant in units of 2^30 attoseconds (1.07 ns): 64 bits that last for 300 years, because the 128 bits
/// of a `Duration` make each sum and comparison dearer, and picking an endpoint takes several.
typealias Tick = Int64

extension Runtime.Instant {
    var tick: Tick { offset.ticks }
}

extension Duration {
    var ticks: Tick { Tick(truncatingIfNeeded: attoseconds >> 30) }

    init(ticks: Tick) { self = Duration(attoseconds: Int128(ticks) << 30) }
}

extension Tick {
    /// A difference of two instants in seconds.
    var seconds: Double { Double(self) * 0x1p30 * 1e-18 }

    /// The number of units in so many seconds.
    static func of(seconds: Double) -> Tick { Tick(seconds * 1e18 * 0x1p-30) }
}
