import Measuring

/// For how long everything is measured.
struct Plan: Sendable {
    /// Turns of whatever sends to a server.
    let rounds: Int

    /// How long such a turn is: short, so that two that are compared meet the same disturbances.
    let stretch = Duration.milliseconds(250)

    /// How long simulations run.
    var simulation: Duration { stretch * rounds * 2 }

    /// Turns of what runs within the process, where only the shortest batch counts: the more there are,
    /// the likelier is one that nothing disturbs.
    var costRounds: Int { rounds * 10 }

    /// Measures workloads of this process in turns.
    func costs(of workloads: [Workload]) async throws -> Costs {
        Costs(workloads, try await Rounds(costRounds).measure(workloads))
    }
}
