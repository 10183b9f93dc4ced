import InterceptorKit

/// Decides which of several possible steps comes next: the only source of order in a run.
struct Schedule: Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Draws a position from 0 up to, but not including, `count`, which must be positive.
    mutating func next(below count: Int) -> Int {
        guard count > 1 else { return 0 }
        // Not `Int.random`: its algorithm, and so every seed's run, may change with the library.
        return Int(generator.next().multipliedFullWidth(by: UInt64(count)).high)
    }
}
