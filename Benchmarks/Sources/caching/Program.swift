import CachingRows
import Measuring
import Reporting

/// Measures what a stored response costs beside one from a server: `caching [rounds]`.
@main
struct Program {
    static func main() async {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        await runProgram {
            try await Caching.withTemporaryFolder { folder in
                let hits = try await Caching.hits(folder)
                try await showCosts(of: try Caching.misses() + hits, rounds)
                try await showContention(of: hits, rounds)
            }
        }
    }

    private static func showCosts(of rows: [Workload], _ rounds: Int) async throws {
        let measurements = try await Rounds(rounds).measure(rows)
        let miss = measurements[0]
        var table = Table(["one call", "us", "to the first", "allocations"])
        for (row, measurement) in zip(rows, measurements) {
            table.append([
                row.name,
                (measurement.nanoseconds / 1000).text(digits: 2),
                (measurement.nanoseconds / miss.nanoseconds).text(digits: 4),
                measurement.allocations?.text(digits: 1) ?? "not counted",
            ])
        }
        say("\(table)\n")
    }

    private static func showContention(of rows: [Workload], _ rounds: Int) async throws {
        var table = Table(["thousand calls/s", "1 task", "2 tasks", "64 tasks", "64 to 2"])
        for row in rows {
            let figures = try await Contention.throughput(tasks: [1, 2, 64], rounds: rounds) {
                try await row.run($0)
            }
            table.append(
                [row.name] + figures.map { ($0 / 1000).text(digits: 0) }
                    + [(figures[2] / figures[1]).text(digits: 2)]
            )
        }
        say("\(table)")
    }
}
