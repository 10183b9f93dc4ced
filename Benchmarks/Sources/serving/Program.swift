import InterceptorKit
import Measuring
import Reporting

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

    /// Every service has its turn in every round, and what counts is the median of the rounds' ratios.
    private static func showThroughput(_ loopback: Loopback, _ rounds: Int) async throws {
        let counts = [1, 16]
        var table = Table(
            ["requests a second, over loopback"]
                + counts.flatMap { ["\($0) at once", "of the route alone"] }
        )
        var figures = Service.all.map { _ in counts.map { _ in [Double]() } }
        for _ in 0..<rounds {
            for index in Service.all.indices {
                for (column, count) in counts.enumerated() {
                    let found = try await Contention.throughput(tasks: [count], rounds: 1) {
                        try await loopback.run(index, $0)
                    }
                    figures[index][column] += found
                }
            }
        }
        for (index, service) in Service.all.enumerated() {
            var row = [service.name]
            for column in counts.indices {
                let ratios = zip(figures[index][column], figures[0][column]).map { $0 / $1 }
                row += [
                    figures[index][column].median.text(digits: 0), ratios.median.text(digits: 2),
                ]
            }
            table.append(row)
        }
        say("\(table)")
    }
}
