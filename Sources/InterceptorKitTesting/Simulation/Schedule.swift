import InterceptorKit

/// Decides which of several things that can happen happens next: the only source of order in a simulation.
struct Schedule: Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Draws a position from 0 up to, but not including, `count`, which must be positive.
    mutating func next(below count: Int) -> Int {
        guard count > 1 else { return 0 }
        // Not `Int.random`, whose algorithm may change with the standard library, and seeds with it.
        return Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)
    }
}
