import InterceptorKitTesting

/// Runs a body once for each of a thousand seeds, which must all lead to one result.
/// - Throws: What the body threw, or ``ResultsDiffer`` with the seed that led elsewhere.
func onEverySeed<Result: Sendable>(
    _ seeds: Range<UInt64> = 0..<1000,
    _ body: @escaping @Sendable (Simulation) async throws -> Result
) throws -> Result {
    let first = try Simulation.run(seed: seeds.lowerBound, body)
    for seed in seeds.dropFirst() {
        let other = try Simulation.run(seed: seed, body)
        guard "\(first)" == "\(other)" else {
            throw ResultsDiffer(seed: seed, results: ["\(first)", "\(other)"])
        }
    }
    return first
}

struct ResultsDiffer: Error {
    var seed: UInt64
    var results: [String]
}
