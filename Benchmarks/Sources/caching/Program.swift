import Foundation
import Measuring
import Reporting

/// Measures what a stored response costs beside one from a server: `caching [rounds]`.
@main
struct Program {
    static func main() async {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        await runProgram {
            let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            defer { try? FileManager.default.removeItem(at: folder) }
            let rows = try await Row.all(folder)
            try await showCosts(of: rows, rounds)
            try await showContention(of: rows.filter(\.isShared), rounds)
        }
    }

    private static func showCosts(of rows: [Row], _ rounds: Int) async throws {
        let measurements = try await Rounds(rounds).measure(rows.map(\.workload))
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

    private static func showContention(of rows: [Row], _ rounds: Int) async throws {
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
