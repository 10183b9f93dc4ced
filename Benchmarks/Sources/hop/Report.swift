import Measuring
import Reporting

/// The figures of all contenders, and what they come to.
struct Report: CustomStringConvertible {
    static let depths = [0, 1, 4, 16, 64]

    struct Row {
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

    var description: String { ([table.description, ""] + conclusions).joined(separator: "\n") }

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

    /// The hop of a request that is passed on, the first such row, against its rivals.
    private var conclusions: [String] {
        let judged = rows.first {
            $0.contender.role == .interceptorKit && $0.contender.work == .passRequest
        }
        let nanoseconds = judged?.nanoseconds ?? .nan
        let written = judged.flatMap(baseline)?.nanoseconds ?? .nan
        let peer = rows.filter { $0.contender.role == .peer }.map(\.nanoseconds).min() ?? .nan
        let allocations = judged?.perHop(\.allocations)
        return [
            "hop ratio to hand-written: \((nanoseconds / written).text(digits: 2))",
            "hop ratio to cheapest peer: \((nanoseconds / peer).text(digits: 2))",
            "allocations per hop: \(allocations?.text(digits: 2) ?? "not counted")",
        ]
    }

    private func baseline(of row: Row) -> Row? {
        guard row.contender.role == .interceptorKit else { return nil }
        return rows.first {
            $0.contender.role == .handWritten && $0.contender.work == row.contender.work
        }
    }
}
