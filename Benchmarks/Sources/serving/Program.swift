import Measuring
import Reporting
import ServingRows

/// Measures what a chain adds to a route of Hummingbird: `serving [rounds]`.
@main
struct Program {
    static func main() async {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        await runProgram {
            let signed = try await Service.signedFields()
            try await Connection.open { channel in
                var workloads = try Service.all.map { try $0.workload(channel, signed) }
                workloads += try Service.all.dropFirst(2).map {
                    try $0.workload(channel, signed, watches: false)
                }
                try await showCosts(of: workloads, rounds)
            }
            try await Loopback.serving(Service.all, signed) { loopback in
                try await showThroughput(loopback, rounds)
            }
        }
    }

    private static func showCosts(of workloads: [Workload], _ rounds: Int) async throws {
        let measurements = try await Rounds(rounds).measure(workloads)
        let alone = measurements[0]
        var table = Table(["one request, in process", "ns", "added", "allocations", "added"])
        for (workload, measurement) in zip(workloads, measurements) {
            var row = [
                workload.name, measurement.nanoseconds.text(digits: 0),
                (measurement.nanoseconds - alone.nanoseconds).text(digits: 0),
            ]
            if let own = measurement.allocations, let first = alone.allocations {
                row += [own.text(digits: 1), (own - first).text(digits: 1)]
            }
            table.append(row)
        }
        say("\(table)\n")
    }

    /// What counts is the median of the rounds' ratios.
    private static func showThroughput(_ loopback: Loopback, _ rounds: Int) async throws {
        let counts = [1, 16]
        var table = Table(
            ["requests a second, over loopback"]
                + counts.flatMap { ["\($0) at once", "of the route alone"] }
        )
        let throughput = try await loopback.throughput(atOnce: counts, rounds: rounds)
        for (index, service) in Service.all.enumerated() {
            var row = [service.name]
            for column in counts.indices {
                row += [
                    throughput.median(of: index, column: column).text(digits: 0),
                    throughput.ratio(of: index, column: column).text(digits: 2),
                ]
            }
            table.append(row)
        }
        say("\(table)")
    }
}
