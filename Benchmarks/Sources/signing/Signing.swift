import Measuring
import Reporting

/// Measures what signing a request costs: `signing [rounds]`.
@main
struct Signing {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let rows = try Row.all()
        let workloads = rows.map(\.workload)
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value

        var table = Table(["", "ns", "allocations"])
        for (row, measurement) in zip(rows, measurements) {
            table.append([
                row.name,
                measurement.nanoseconds.text(digits: 0),
                measurement.allocations?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
    }
}
