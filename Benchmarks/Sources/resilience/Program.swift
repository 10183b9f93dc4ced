import Measuring
import Reporting
import ResilienceRows

/// Measures what each resilience interceptor costs a call that succeeds: `resilience [rounds]`.
@main
struct Program {
    static func main() async {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        await runProgram {
            try await showCosts(of: try Resilience.numbers(), "a number", rounds)
            try await showCosts(of: try Resilience.requests(), "an HTTP.Request", rounds)
            try await showCosts(of: try Resilience.chains(), "a whole chain", rounds)
            try await showContention(of: try Resilience.requests(), rounds)
        }
    }

    private static func showCosts(of rows: [Workload], _ input: String, _ rounds: Int) async throws
    {
        let measurements = try await Rounds(rounds).measure(rows)
        let bare = measurements[0]
        var table = Table([input, "ns", "above nothing", "allocations", "above nothing"])
        for (row, measurement) in zip(rows, measurements) {
            let allocations = zip(measurement.allocations, bare.allocations)
            table.append([
                row.name,
                measurement.nanoseconds.text(digits: 0),
                (measurement.nanoseconds - bare.nanoseconds).text(digits: 0),
                allocations.map { $0.0.text(digits: 2) } ?? "not counted",
                allocations.map { ($0.0 - $0.1).text(digits: 2) } ?? "",
            ])
        }
        say("\(table)\n")
    }

    private static func showContention(of rows: [Workload], _ rounds: Int) async throws {
        let counts = [1, 2, 64]
        var table = Table(["thousand calls/s", "1 task", "2 tasks", "64 tasks", "64 to 2"])
        for row in rows {
            let figures = try await Contention.throughput(
                tasks: counts,
                rounds: rounds
            ) { try await row.run($0) }
            table.append(
                [row.name] + figures.map { ($0 / 1000).text(digits: 0) }
                    + [(figures[2] / figures[1]).text(digits: 2)]
            )
        }
        say("\(table)")
    }
}

private func zip<Left, Right>(_ left: Left?, _ right: Right?) -> (Left, Right)? {
    guard let left, let right else { return nil }
    return (left, right)
}
