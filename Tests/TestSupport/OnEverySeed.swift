import Expectations
import InterceptorKitConcurrency
package import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

/// Runs a body once for each seed. What it expects, it expects within.
/// - Throws: What the body threw, with its seed.
package func onEverySeed(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) async throws {
    try await besideOtherTests { try simulate(seeds: tried(seeds), body) }
}

/// Runs a body once for each seed, which must all lead to equal results.
/// - Throws: What the body threw, or ``ResultsDiffer``, with the seed.
package func onEverySeed<Result: Equatable & Sendable>(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
    try await sameResult(seeds, body, by: ==)
}

// Tuples are not Equatable, and a pack of one part would not be told from a value.
package func onEverySeed<A: Equatable & Sendable, B: Equatable & Sendable>(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> (A, B)
) async throws -> (A, B) {
    try await sameResult(seeds, body, by: ==)
}

package func onEverySeed<A: Equatable & Sendable, B: Equatable & Sendable, C: Equatable & Sendable>(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> (A, B, C)
) async throws -> (A, B, C) {
    try await sameResult(seeds, body, by: ==)
}

package func onEverySeed<
    A: Equatable & Sendable,
    B: Equatable & Sendable,
    C: Equatable & Sendable,
    D: Equatable & Sendable
>(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> (A, B, C, D)
) async throws -> (A, B, C, D) {
    try await sameResult(seeds, body, by: ==)
}

/// Runs a body once for each seed and compares each result with the first, which it returns.
package func sameResult<Result: Sendable>(
    _ seeds: Range<UInt64>,
    _ body: @escaping @Sendable (Simulation) async throws -> Result,
    by areSame: @escaping @Sendable (Result, Result) -> Bool
) async throws -> Result {
    let first = Mutex<Result?>(nil)
    return try await besideOtherTests {
        try simulate(seeds: tried(seeds)) { simulation in
            let result = try await body(simulation)
            let expected = first.withLock { first in
                first = first ?? result
                return first
            }
            guard let expected, !areSame(expected, result) else { return }
            throw ResultsDiffer(results: ["\(expected)", "\(result)"])
        }
        return try unwrap(first.withLock { $0 })
    }
}

/// Those of a test's seeds that are tried: all of them, or as many as every property has.
private func tried(_ seeds: Range<UInt64>) -> Range<UInt64> {
    seeds.lowerBound..<(seeds.lowerBound + min(UInt64(seeds.count), cases(seedCount, of: .max)))
}

package struct ResultsDiffer: Error {
    package var results: [String]

    package init(results: [String]) {
        self.results = results
    }
}
