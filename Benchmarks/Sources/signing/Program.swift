import Measuring
import Reporting
import SigningRows

/// Measures what signing a request costs: `signing [rounds] [part of a row's name]`.
@main
struct Program {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        let part = CommandLine.arguments.dropFirst(2).first
        let workloads = try Signing.all().filter { part.map($0.name.contains) ?? true }
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
        let costs = Dictionary(
            uniqueKeysWithValues: zip(workloads.map(\.name), measurements.map(\.nanoseconds))
        )
        if let scheme = costs["SigV4"], let hashing = costs["hashing of SigV4 alone"] {
            table.append(["text of SigV4, the difference", (scheme - hashing).text(digits: 0)])
        }
        print(table)
    }
}
