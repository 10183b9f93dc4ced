import InterceptorKit

/// Decides which of several runnable jobs goes next: the only source of order in a simulation.
struct Schedule: Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Draws a position from 0 up to, but not including, `count`, which must be positive.
    mutating func next(below count: Int) -> Int {
        count == 1 ? 0 : Int.random(in: 0..<count, using: &generator)
    }
}
