import Loading
import Reporting

/// The figures of one load as text: a table, and a line for each contender.
struct Report: Sendable, CustomStringConvertible {
    let measured: LoadFigures

    init(_ measured: LoadFigures) { self.measured = measured }

    var inFlight: Int { measured.load.inFlight }

    var description: String {
        (["\(table)", ""] + uncounted + measured.rows.map(line)).joined(separator: "\n")
    }

    /// Why system calls of a client with other figures were not counted.
    private var uncounted: [String] {
        measured.rows.compactMap { row in
            guard case .success = row.rounds, case .failure(let error) = row.systemCalls else {
                return nil
            }
            return "system calls of \(row.name) not counted: \(oneLine(error))"
        }
    }

    private var table: Table {
        var table = Table([
            measured.load.name, "us/req", "user", "system", "req/s", "switches/req",
            "system calls/req", "allocations/req", "instructions/req",
        ])
        for row in measured.rows {
            guard let figures = try? row.rounds.get() else {
                table.append([row.name, "none"])
                continue
            }
            table.append([
                row.name,
                figures.map(\.processorMicroseconds).median.text(digits: 1),
                figures.map(\.userMicroseconds).median.text(digits: 1),
                figures.map(\.systemMicroseconds).median.text(digits: 1),
                figures.map(\.rate).median.text(digits: 0),
                figures.map(\.switchesPerRequest).median.text(digits: 2),
                (try? row.systemCalls.get())?.text(digits: 1) ?? "not counted",
                allocations(figures),
                (try? row.instructions?.get())?.text(digits: 0) ?? "not counted",
            ])
        }
        return table
    }

    private func line(_ row: LoadFigures.Row) -> String {
        let start = "wire \(row.name) in flight \(inFlight):"
        switch row.rounds {
        case .success(let figures):
            let processor = figures.map(\.processorMicroseconds).median.text(digits: 1)
            let rate = figures.map(\.rate).median.text(digits: 0)
            let switches = figures.map(\.switchesPerRequest).median.text(digits: 2)
            return
                "\(start) \(processor) us of processor, \(rate) requests/s, \(switches) switches, "
                + "\(allocations(figures)) allocations"
        case .failure(let error):
            return "\(start) \(oneLine(error))"
        }
    }

    private func oneLine(_ error: any Error) -> String {
        "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private func allocations(_ figures: [Figures]) -> String {
        let counts = figures.compactMap(\.allocations)
        return counts.isEmpty ? "not counted" : counts.median.text(digits: 1)
    }
}
