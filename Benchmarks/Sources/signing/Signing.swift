import Measuring
import Reporting

/// Measures what signing a request costs: `signing [rounds] [part of a row's name]`.
@main
struct Signing {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let part = CommandLine.arguments.dropFirst(2).first
        let rows = try Row.all().filter { row in part.map(row.name.contains) ?? true }
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
