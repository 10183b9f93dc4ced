import InterceptorKitTesting

/// As `simulate(seeds:)`, whatever seed the environment asks for: for tests of which seeds run and
/// which of them find a planted defect.
func simulateAnySeed(
    _ seeds: Range<UInt64>,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws {
    try simulate(
        seeds: seeds,
        stepLimit: Simulation.defaultStepLimit,
        environment: [:],
        body
    )
}

/// As `simulateAllSchedules`, whatever schedule the environment asks for.
func exploreAll(
    limit: Int = 10_000,
    environment: [String: String] = [:],
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws -> (schedules: Int, isComplete: Bool) {
    try simulateAllSchedules(
        limit: limit,
        seed: 0,
        stepLimit: Simulation.defaultStepLimit,
        environment: environment,
        body
    )
}
