import EventRows
import Measuring
import Reporting

/// Measures what events cost, with nobody listening and with somebody: `events [rounds]`.
@main
struct Program {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let workloads = try Events.all()
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value

        let bare = measurements[0]
        var table = Table(["ten interceptors", "ns a call", "to no sink", "allocations"])
        for (workload, measurement) in zip(workloads, measurements) {
            table.append([
                workload.name,
                measurement.nanoseconds.text(digits: 0),
                (measurement.nanoseconds / bare.nanoseconds).text(digits: 2),
                measurement.allocations?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
    }
}
