import EndpointRows
import InterceptorKitLoadBalancing
import Measuring
import Reporting

/// Measures what choosing among endpoints achieves, and what it costs: `endpoints [rounds]`.
@main
struct Program {
    static func main() async throws {
        try await Task.detached { try tower() }.value
        try await Task.detached { try failingFast() }.value
        try await pick()
    }

    private static func tower() throws {
        var table = Table(["tower's scenario, ms", "p50", "p90", "p99", "p99.9", "longest"])
        var own: [Double] = []
        func add(_ name: String, _ policy: some LoadBalancingPolicy) throws -> [Double] {
            let latencies = try Tower.latencies(by: policy, seed: 1)
            table.append(
                [name] + [50, 90, 99, 99.9, 100].map { latencies.percentile($0).text(digits: 1) }
            )
            return latencies
        }
        own = try add("least latency", LeastLatencyPolicy())
        _ = try add("least requests", LeastRequestsPolicy())
        _ = try add("round robin", RoundRobinPolicy())
        _ = try add("always the fastest", Tower.Ideal())
        print(table)
        print(
            "endpoints tower scenario: p99 \(own.percentile(99).text(digits: 1)) ms, "
                + "p99.9 \(own.percentile(99.9).text(digits: 1)) ms"
        )
    }

    private static func failingFast() throws {
        let share = try FailingFast.share(by: LeastLatencyPolicy(), seed: 1)
        print("endpoints failing fast: \((share * 100).text(digits: 2)) % of the traffic")
    }

    private static func pick() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let workloads = try Pick.workloads()
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value
        var table = Table(["", "ns", "allocations"])
        for (workload, measurement) in zip(workloads, measurements) {
            table.append([
                workload.name,
                measurement.nanoseconds.text(digits: 0),
                measurement.allocations?.text(digits: 2) ?? "not counted",
            ])
        }
        print(table)
        let cost = Pick.cost(measurements)
        print(
            "endpoints pick: \(cost.nanoseconds.text(digits: 0)) ns, "
                + "\(cost.allocations?.text(digits: 2) ?? "uncounted") allocations"
        )
    }
}
