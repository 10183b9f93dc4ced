public import Reporting

/// The figures of several fetchers under one load.
public struct Compared: Sendable {
    /// The figures of one fetcher.
    public struct Row: Sendable {
        /// Its name.
        public let name: String
        let samples: [Sample]

        /// Requests in a second, in its best round.
        public var bestRate: Double { samples.map(\.rate).max() ?? .nan }
        /// Requests in a second, in the middle one of its rounds.
        public var medianRate: Double { samples.map(\.rate).median }
        /// Processor time of a request in seconds, in the middle one of its rounds.
        public var processorSeconds: Double { samples.map(\.processorSecondsPerRequest).median }

        /// A percentile of the requests' times in seconds, in the middle one of its rounds.
        public func latency(percentile: Double) -> Double {
            samples.map { $0.latencies.percentile(percentile) }.median
        }
    }

    /// The load.
    public let load: Load
    /// The fetchers, in the order compared.
    public let rows: [Row]

    /// How many times the rate of another fetcher one reaches: the middle one of the ratios of each
    /// round, whose two parts were measured next to each other. `nan` if either is unknown.
    public func ratio(of name: String, to other: String) -> Double {
        guard let row = rows.first(where: { $0.name == name }),
            let base = rows.first(where: { $0.name == other })
        else { return .nan }
        return zip(row.samples, base.samples).map { $0.rate / $1.rate }.median
    }

    /// All figures as text, with ratios to one fetcher.
    public func table(against other: String) -> Table {
        var table = Table([
            load.name, "req/s best", "median", "CPU us/req", "p50 us", "p99 us", "x \(other)",
        ])
        for row in rows {
            table.append([
                row.name,
                row.bestRate.text(digits: 0),
                row.medianRate.text(digits: 0),
                (row.processorSeconds * 1_000_000).text(digits: 0),
                (row.latency(percentile: 50) * 1_000_000).text(digits: 0),
                (row.latency(percentile: 99) * 1_000_000).text(digits: 0),
                ratio(of: row.name, to: other).text(digits: 2),
            ])
        }
        return table
    }
}
