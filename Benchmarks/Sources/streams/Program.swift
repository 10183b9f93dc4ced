import Measuring
import ProcessFigures
import Reporting
import StreamRows

/// Measures reading lines and events of a stream: `streams [rounds]`.
@main
struct Program {
    static func main() async {
        await runProgram {
            let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
            try await lines(rounds)
            try await events(rounds)
            try await memory()
        }
    }

    private static func lines(_ rounds: Int) async throws {
        let lengths = [25, 100, 1000]
        let rows = lengths.map { LineRows(length: $0) }
        let rates = try await rates(rows.map { ($0.byteCount, $0.workloads) }, rounds)
        print(table("lines, MB/s", lengths.map { "\($0) bytes" }, rows[0].workloads, rates))
        print("streams lines: \(rates[1][0].text(digits: 0)) MB/s")
    }

    private static func events(_ rounds: Int) async throws {
        let lengths = [20, 100, 1000]
        let rows = lengths.map { EventStreamRows(dataLength: $0) }
        let rates = try await rates(rows.map { ($0.byteCount, $0.workloads) }, rounds)
        print(table("events, MB/s", lengths.map { "data of \($0)" }, rows[0].workloads, rates))
        let nanoseconds = zip(rows, rates).map { row, rates in
            Double(row.byteCount) / Double(row.eventCount) / rates[0] * 1000
        }
        print("ns an event: \(nanoseconds.map { $0.text(digits: 0) }.joined(separator: ", "))")
        print("streams events: \(rates[1][0].text(digits: 0)) MB/s")
    }

    private static func memory() async throws {
        _ = try await EventStreamRows.readGigabyte()
        ResidentMemory.trim()
        let before = try ResidentMemory.current()
        try ResidentMemory.resetPeak()
        let count = try await EventStreamRows.readGigabyte()
        let growth = try ResidentMemory.peak() - before
        print(
            "streams memory: \(growth >> 10) KiB more at most while \(count) events of 1 GiB came"
        )
    }

    /// Megabytes in a second: for each size, of each workload.
    private static func rates(
        _ sizes: [(byteCount: Int, workloads: [Workload])],
        _ rounds: Int
    ) async throws -> [[Double]] {
        // A batch is some repetitions of a mebibyte.
        let measuring = Rounds(rounds, batches: 5, batch: .milliseconds(5))
        let measurements = try await measuring.measure(sizes.flatMap(\.workloads))
        var index = 0
        return sizes.map { size in
            size.workloads.map { _ in
                defer { index += 1 }
                return Double(size.byteCount) / measurements[index].nanoseconds * 1000
            }
        }
    }

    private static func table(
        _ title: String,
        _ sizes: [String],
        _ workloads: [Workload],
        _ rates: [[Double]]
    ) -> Table {
        var table = Table([title] + sizes)
        for (row, workload) in workloads.enumerated() {
            table.append([workload.name] + rates.map { $0[row].text(digits: 0) })
        }
        return table
    }
}
