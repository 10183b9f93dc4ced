import InterceptorKitTesting

/// Runs a body once for each of a thousand seeds, which must all lead to one result.
///
/// Others go on between the seeds: a simulation keeps its thread, and the tests over real sockets run
/// on the same few.
/// - Throws: What the body threw, or ``ResultsDiffer`` with the seed that led elsewhere.
@discardableResult
func onEverySeed<Result: Sendable>(
    _ seeds: Range<UInt64> = 0..<1000,
    _ body: @escaping @Sendable (Simulation) async throws -> Result
) async throws -> Result {
    let results = Recorder<Result>()
    for seed in seeds {
        try simulate(seeds: seed..<(seed + 1)) { simulation in
            results.note(try await body(simulation))
        }
        await Task.yield()
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
