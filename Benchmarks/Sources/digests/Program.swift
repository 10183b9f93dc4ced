import DigestRows
import Measuring
import Reporting

/// Measures hashing and authenticating beside swift-crypto: `digests [rounds]`.
@main
struct Program {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let rows = Digest.all
        let workloads = rows.map(\.workload)
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value

        var table = Table(["", "bytes", "ns", "MB/s", "allocations"])
        for (row, measurement) in zip(rows, measurements) {
            table.append([
                "\(row.contender), \(row.work)",
                "\(row.size)",
                measurement.nanoseconds.text(digits: 0),
                (Double(row.size) / measurement.nanoseconds * 1000).text(digits: 0),
                measurement.allocations?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
    }
}
