/// Measures workloads in turns, so that a disturbance of the machine meets all of them alike.
///
/// Every round visits every workload for a few short batches; what counts is the shortest batch of
/// all rounds, since noise only ever adds time.
public struct Rounds: Sendable {
    private let rounds: Int
    private let batches: Int
    private let batch: Duration

    /// Plans the rounds.
    /// - Parameters:
    ///   - rounds: Visits to each workload. Defaults to 12.
    ///   - batches: Batches of a visit. Defaults to 21.
    ///   - batch: What repetitions are calibrated to fill: long against the clock's own 30 ns,
    ///     short against a time slice. Defaults to 0.4 ms.
    public init(_ rounds: Int = 12, batches: Int = 21, batch: Duration = .microseconds(400)) {
        self.rounds = rounds
        self.batches = batches
        self.batch = batch
    }

    /// Measures workloads against each other.
    /// - Returns: Their figures, in the order given.
    /// - Throws: ``WrongAnswer`` if a workload does not do its work, and what workloads throw.
    public func measure(_ workloads: [Workload]) async throws -> [Measurement] {
        var counts: [Int] = []
        for workload in workloads { counts.append(try await calibrate(workload)) }
        var shortest = [Double](repeating: .infinity, count: workloads.count)
        for _ in 0..<rounds {
            for (index, workload) in workloads.enumerated() {
                for _ in 0..<batches {
                    let nanoseconds = try await time(workload, count: counts[index])
                    shortest[index] = min(shortest[index], nanoseconds / Double(counts[index]))
                }
            }
        }
        var measurements: [Measurement] = []
        for (workload, nanoseconds) in zip(workloads, shortest) {
            // A thousand, or as many as fit into a fifth of a second.
            let allocations = try await Allocations.perRepetition(
                of: workload,
                count: min(1000, max(20, Int(2e8 / nanoseconds)))
            )
            measurements.append(Measurement(nanoseconds: nanoseconds, allocations: allocations))
        }
        return measurements
    }

    /// The number of repetitions that fill a batch; finding it warms the workload up.
    private func calibrate(_ workload: Workload) async throws -> Int {
        let target = Self.nanoseconds(batch)
        var count = 1
        while true {
            // The shortest of three, or one disturbance would make all batches too short.
            var nanoseconds = Double.infinity
            for _ in 0..<3 {
                nanoseconds = min(nanoseconds, try await time(workload, count: count))
            }
            if nanoseconds >= target { return max(1, Int(Double(count) * target / nanoseconds)) }
            count *= 2
        }
    }

    private func time(_ workload: Workload, count: Int) async throws -> Double {
        let start = ContinuousClock.now
        try await workload.run(count)
        return Self.nanoseconds(start.duration(to: .now))
    }

    private static func nanoseconds(_ duration: Duration) -> Double { duration / .nanoseconds(1) }
}
