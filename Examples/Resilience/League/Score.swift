/// What a run of the league comes to.
///
/// Calls count from the cause's begin to 10 s after its end.
struct Score: Sendable {
    /// The share of calls that succeed within their deadline.
    var goodput = 0.0
    /// Sends for each call.
    var sends = 0.0
    /// What all but one in a hundred successes take at most, in seconds.
    var latency99 = 0.0
    /// The seconds from the cause's end until 95 % of the calls of 5 seconds on end succeed.
    var recovery = 0.0
    /// Calls that the client turns away before anything goes wrong.
    var turnedAway = 0.0
    /// Calls whose first send the client delays before anything goes wrong.
    var slowed = 0.0
    /// The share of calls that succeed, second by second, for a chart.
    var perSecond: [Double] = []

    /// How long after the cause calls count, in seconds.
    static let aftermath = 10.0

    init() {}

    init(_ tally: Tally, _ scenario: Scenario, clients: Int) {
        let entries = tally.entries
        let window = scenario.cause.lowerBound..<(scenario.cause.upperBound + Self.aftermath)
        let counted = entries.filter { window.contains($0.began) }
        let successes = counted.filter(\.isInTime)
        goodput = Double(successes.count) / Double(max(1, counted.count))
        sends =
            Double(tally.sends.count { window.contains($0) }) / Double(max(1, counted.count))
        let times = successes.map { ($0.ended ?? 0) - $0.began }.sorted()
        latency99 = times.isEmpty ? 0 : times[times.count * 99 / 100]
        let healthy = entries.filter { $0.began < scenario.cause.lowerBound - 1 }
        turnedAway = Double(healthy.count(where: \.isTurnedAway))
        slowed = Double(healthy.count { ($0.firstSend ?? $0.began) - $0.began > 0.001 })
        var seconds = [(made: Int, good: Int)](repeating: (0, 0), count: Int(scenario.length) + 1)
        for entry in entries {
            seconds[Int(entry.began)].made += 1
            if entry.isInTime { seconds[Int(entry.began)].good += 1 }
        }
        perSecond = seconds.map { $0.made == 0 ? 1 : Double($0.good) / Double($0.made) }
        recovery = Self.recovery(seconds, after: scenario.cause.upperBound)
    }

    private static func recovery(_ seconds: [(made: Int, good: Int)], after end: Double) -> Double {
        let first = Int(end.rounded(.up))
        for start in first..<max(first + 1, seconds.count - 5) {
            let window = seconds[start..<min(start + 5, seconds.count)]
            let made = window.reduce(0) { $0 + $1.made }
            let good = window.reduce(0) { $0 + $1.good }
            if Double(good) >= 0.95 * Double(made) { return Double(start - first) }
        }
        return Double(seconds.count - first)
    }
}

extension Score {
    /// The mean of several runs.
    static func mean(_ scores: [Score]) -> Score {
        let count = Double(scores.count)
        func mean(_ path: KeyPath<Score, Double>) -> Double {
            scores.reduce(0) { $0 + $1[keyPath: path] } / count
        }
        var result = Score()
        result.goodput = mean(\.goodput)
        result.sends = mean(\.sends)
        result.latency99 = mean(\.latency99)
        result.recovery = mean(\.recovery)
        result.turnedAway = mean(\.turnedAway)
        result.slowed = mean(\.slowed)
        let seconds = scores.map(\.perSecond.count).min() ?? 0
        result.perSecond = (0..<seconds).map { second in
            scores.reduce(0) { $0 + $1.perSecond[second] } / count
        }
        return result
    }
}

extension Tally.Entry {
    fileprivate var isInTime: Bool {
        isSuccess && (ended ?? .infinity) - began <= Scenario.deadline + 1e-9
    }
}
