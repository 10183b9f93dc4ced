public import Reporting

/// The figures of several contenders under one load.
public struct Compared: Sendable {
    /// The figures of one contender.
    public struct Row: Sendable {
        /// Its name.
        public let name: String
        let samples: [Sample]

        /// Requests in a second, in its best round.
        public var bestRate: Double { samples.map(\.rate).max() ?? .nan }
        /// Requests in a second, in the middle one of its rounds.
        public var medianRate: Double { samples.map(\.rate).median }

        /// A figure of the middle one of its rounds; `nil` if it is not known.
        func median(_ figure: (Sample) -> Double?) -> Double? {
            let figures = samples.compactMap(figure)
            return figures.isEmpty ? nil : figures.median
        }
    }

    /// The load.
    public let load: Load
    /// The contenders, in the order compared.
    public let rows: [Row]

    /// How many times the rate of another contender one reaches: the middle one of the ratios of each
    /// round, whose two parts were measured next to each other. `nan` if either is unknown.
    public func ratio(of name: String, to other: String) -> Double {
        guard let row = rows.first(where: { $0.name == name }),
            let base = rows.first(where: { $0.name == other })
        else { return .nan }
        return zip(row.samples, base.samples).map { $0.rate / $1.rate }.median
    }

    /// All figures as text, with ratios to one contender.
    public func table(against other: String) -> Table {
        var table = Table([
            load.name, "req/s best", "median", "CPU us/req", "p50 us", "p99 us", "x \(other)",
        ])
        for row in rows {
            table.append([
                row.name,
                row.bestRate.text(digits: 0),
                row.medianRate.text(digits: 0),
                microseconds(row.median(\.processorSecondsPerRequest)),
                microseconds(row.median(\.latency50)),
                microseconds(row.median(\.latency99)),
                ratio(of: row.name, to: other).text(digits: 2),
            ])
        }
        return table
    }
    private func microseconds(_ seconds: Double?) -> String {
        seconds.map { ($0 * 1_000_000).text(digits: 0) } ?? ""
    }
}
