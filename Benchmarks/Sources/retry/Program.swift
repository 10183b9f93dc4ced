import Measuring
import Reporting
import RetryRows

/// Measures what retry and hedge add to a call: `retry [rounds]`.
@main
struct Program {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let workloads = try Retries.all()
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value

        let bare = measurements[0]
        var table = Table(["", "ns", "of it added", "allocations added"])
        for (workload, measurement) in zip(workloads, measurements) {
            let added = measurement.allocations.flatMap { own in bare.allocations.map { own - $0 } }
            table.append([
                workload.name,
                measurement.nanoseconds.text(digits: 0),
                (measurement.nanoseconds - bare.nanoseconds).text(digits: 0),
                added?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
    }
}
