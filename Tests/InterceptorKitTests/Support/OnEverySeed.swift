import InterceptorKitTesting
import TestRun

/// Runs a body once for each of a thousand seeds, which must all lead to one result.
/// - Throws: What the body threw, with its seed, or ``ResultsDiffer`` with the seed that led elsewhere.
@discardableResult
func onEverySeed<Result: Sendable>(
    _ seeds: Range<UInt64> = 0..<seedCount,
    _ body: @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
    let results = Recorder<Result>()
    try await besideOtherTests {
        try simulate(seeds: seeds) { simulation in results.note(try await body(simulation)) }
    }
    let all = results.entries
    if let seed = all.firstIndex(where: { "\($0)" != "\(all[0])" }) {
        throw ResultsDiffer(seed: seed, results: ["\(all[0])", "\(all[seed])"])
    }
    return all[0]
}

struct ResultsDiffer: Error {
    var seed: Int
    var results: [String]
}
