import Measuring
import Reporting

/// Measures what retry and hedge add to a call: `retry [rounds]`.
@main
struct Retry {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let rows = try Row.all()
        let workloads = rows.map(\.workload)
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value

        let bare = measurements[0]
        var table = Table(["", "ns", "of it added", "allocations added"])
        for (row, measurement) in zip(rows, measurements) {
            let added = measurement.allocations.flatMap { own in bare.allocations.map { own - $0 } }
            table.append([
                row.name,
                measurement.nanoseconds.text(digits: 0),
                (measurement.nanoseconds - bare.nanoseconds).text(digits: 0),
                added?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
    }
}
