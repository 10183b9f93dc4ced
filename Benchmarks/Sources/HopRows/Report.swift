import Measuring
import Reporting

/// The figures of all contenders, and what they come to.
public struct Report: Sendable, CustomStringConvertible {
    /// The numbers of hops that the table shows.
    public static let depths = [0, 1, 4, 16, 64]
    /// The numbers of hops that the slope is taken between.
    public static let slope = [16, 64]

    struct Row: Sendable {
        let contender: Contender
        let measurements: [Int: Measurement]

        /// The slope between 16 and 64 hops, which leaves the fixed part of a run out.
        func perHop(_ figure: (Measurement) -> Double?) -> Double? {
            guard let low = measurements[16].flatMap(figure),
                let high = measurements[64].flatMap(figure)
            else { return nil }
            return (high - low) / 48
        }

        var nanoseconds: Double { perHop(\.nanoseconds) ?? .nan }
    }

    let rows: [Row]

    /// Measures contenders against each other, each with these numbers of hops.
    public static func measure(
        _ contenders: [Contender],
        depths: [Int],
        rounds: Int
    ) async throws -> Report {
        let workloads = try contenders.flatMap { contender in
            try depths.map { try contender.workload(depth: $0) }
        }
        // A task of its own, as calls have them: main runs on an executor of its own kind.
        let measuring = Task.detached { try await Rounds(rounds).measure(workloads) }
        let measurements = try await measuring.value
        let rows = contenders.enumerated().map { index, contender in
            let own = measurements[index * depths.count..<(index + 1) * depths.count]
            return Row(
                contender: contender,
                measurements: Dictionary(uniqueKeysWithValues: zip(depths, own))
            )
        }
        return Report(rows: rows)
    }

    public var description: String {
        ([table.description, ""] + conclusions).joined(separator: "\n")
    }

    private var table: Table {
        var table = Table(
            ["ns per run at depth", "a hop does"] + Self.depths.map(String.init)
                + ["ns/hop", "x hand-written", "allocs/hop", "allocs/empty run"]
        )
        for row in rows {
            let ratio = baseline(of: row).map { row.nanoseconds / $0.nanoseconds }
            table.append(
                [row.contender.name, row.contender.work.rawValue]
                    + Self.depths.map { row.measurements[$0]?.nanoseconds.text(digits: 0) ?? "" }
                    + [
                        row.nanoseconds.text(digits: 1),
                        ratio?.text(digits: 2) ?? "",
                        row.perHop(\.allocations)?.text(digits: 2) ?? "not counted",
                        row.measurements[0]?.allocations?.text(digits: 2) ?? "not counted",
                    ]
            )
        }
        return table
    }

    /// The hop of a request that is passed on, the first such row.
    private var judged: Row? {
        rows.first { $0.contender.role == .interceptorKit && $0.contender.work == .passRequest }
    }

    /// What that hop takes, times what a hand-written call takes; `nan` if either is unknown.
    public var ratioToHandWritten: Double {
        (judged?.nanoseconds ?? .nan) / (judged.flatMap(baseline)?.nanoseconds ?? .nan)
    }

    /// What that hop takes, times what the cheapest peer's takes; `nan` if either is unknown.
    public var ratioToCheapestPeer: Double {
        let peer = rows.filter { $0.contender.role == .peer }.map(\.nanoseconds).min() ?? .nan
        return (judged?.nanoseconds ?? .nan) / peer
    }

    /// What that hop allocates; `nil` where allocations are not counted.
    public var allocationsPerHop: Double? { judged?.perHop(\.allocations) }

    private var conclusions: [String] {
        [
            "hop ratio to hand-written: \(ratioToHandWritten.text(digits: 2))",
            "hop ratio to cheapest peer: \(ratioToCheapestPeer.text(digits: 2))",
            "allocations per hop: \(allocationsPerHop?.text(digits: 2) ?? "not counted")",
        ]
    }

    private func baseline(of row: Row) -> Row? {
        guard row.contender.role == .interceptorKit else { return nil }
        return rows.first {
            $0.contender.role == .handWritten && $0.contender.work == row.contender.work
        }
    }
}
