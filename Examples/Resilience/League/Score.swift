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
    /// The seconds from the end of what goes wrong until the first success.
    var firstSuccess = 0.0
    /// The calls that are harmed; see ``Harm``. The sum of several runs, not their mean.
    var harm = 0
    /// The share of calls that succeed, second by second, for a chart; empty for a long run.
    var perSecond: [Double] = []

    /// How long after the cause calls count, in seconds.
    static let aftermath = 10.0

    init() {}

    // Longer runs have few calls, and no chart.
    private static let longest = 600.0

    init(_ tally: Tally, _ scenario: Scenario, bare: Tally) {
        let entries = tally.entries
        harm = Harm.count(entries, bare: bare.entries, scenario)
        let window = scenario.cause.lowerBound..<(scenario.cause.upperBound + Self.aftermath)
        let counted = entries.filter { window.contains($0.began) }
        let successes = counted.filter { $0.isInTime(scenario.limits) }
        goodput = Double(successes.count) / Double(max(1, counted.count))
        sends =
            Double(tally.sends.count { window.contains($0) }) / Double(max(1, counted.count))
        let times = successes.map { ($0.answered ?? 0) - $0.began }.sorted()
        latency99 = times.isEmpty ? 0 : times[times.count * 99 / 100]
        let healthy = entries.filter { $0.began < scenario.cause.lowerBound - 1 }
        turnedAway = Double(healthy.count(where: \.isTurnedAway))
        slowed = Double(healthy.count { ($0.firstSend ?? $0.began) - $0.began > 0.001 })
        firstSuccess = Self.firstSuccess(successes, after: scenario.recovery)
        guard scenario.length <= Self.longest else { return }
        var seconds = [(made: Int, good: Int)](repeating: (0, 0), count: Int(scenario.length) + 1)
        for entry in entries {
            seconds[Int(entry.began)].made += 1
            if entry.isInTime(scenario.limits) { seconds[Int(entry.began)].good += 1 }
        }
        perSecond = seconds.map { $0.made == 0 ? 1 : Double($0.good) / Double($0.made) }
        recovery = Self.recovery(seconds, after: scenario.recovery)
    }

    private static func firstSuccess(_ successes: [Tally.Entry], after end: Double) -> Double {
        let times = successes.compactMap(\.answered).filter { $0 >= end }
        return times.min().map { $0 - end } ?? 0
    }

    private static func recovery(_ seconds: [(made: Int, good: Int)], after end: Double) -> Double {
        let first = min(Int(end.rounded(.up)), seconds.count - 1)
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
        result.firstSuccess = mean(\.firstSuccess)
        result.harm = scores.reduce(0) { $0 + $1.harm }
        let seconds = scores.map(\.perSecond.count).min() ?? 0
        result.perSecond = (0..<seconds).map { second in
            scores.reduce(0) { $0 + $1.perSecond[second] } / count
        }
        return result
    }
}
