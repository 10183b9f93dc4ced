import InterceptorKit

/// A random number generator with a seed: it draws the same sequence in every process and on every platform.
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// let order = names.shuffled(using: &generator)
/// ```
///
/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Use it in tests, not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Creates a generator that draws the same sequence for the same seed.
    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Draws 64 bits.
    public mutating func next() -> UInt64 { generator.next() }
}
