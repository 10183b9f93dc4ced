import Measuring

/// Measures what one stage of a chain costs: `hop [rounds]`.
@main
struct Hop {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let contenders = Contenders.all
        let workloads = try contenders.flatMap { contender in
            try Report.depths.map { try contender.workload(depth: $0) }
        }
        // A task of its own, as calls have them: main runs on an executor of its own kind.
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value
        let rows = contenders.enumerated().map { index, contender in
            let start = index * Report.depths.count
            let own = measurements[start..<start + Report.depths.count]
            return Report.Row(
                contender: contender,
                measurements: Dictionary(uniqueKeysWithValues: zip(Report.depths, own))
            )
        }
        print(Report(rows: rows))
        print(try await ClientFigures.measure(rounds: rounds))
    }
}
