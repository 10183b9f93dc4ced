import Reporting

/// Requests a second of several services, each with several numbers of requests at once.
public struct Throughput: Sendable {
    // By service, by number at once, by round.
    let figures: [[[Double]]]

    /// The median of the rounds.
    public func median(of service: Int, column: Int) -> Double { figures[service][column].median }

    /// What a service reaches of the first one's, the median of the rounds' ratios.
    public func ratio(of service: Int, column: Int) -> Double {
        zip(figures[service][column], figures[0][column]).map { $0 / $1 }.median
    }
}
