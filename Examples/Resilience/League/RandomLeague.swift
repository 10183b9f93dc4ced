/// The standard pipeline against bare and each peer in scenarios that are drawn: those with one class of calls
/// and short limits, and those with several.
struct RandomLeague: Sendable {
    /// A scenario and what it comes to.
    struct Result: Sendable {
        let seed: UInt64
        let clients: Int
        let hasClasses: Bool
        let standard: Score
        let bare: Score
        /// In the order of ``LeagueStrategy/peers``.
        let peers: [Score]

        var gain: Double { standard.goodput - bare.goodput }
    }

    var count = 500
    var first: UInt64 = 1

    /// Runs all of it on all processors.
    func results() throws -> [Result] {
        try League.concurrently(2 * count) { index in
            try result(seed: first + UInt64(index / 2), hasClasses: index % 2 == 1)
        }
    }

    private func result(seed: UInt64, hasClasses: Bool) throws -> Result {
        let (scenario, clients) =
            hasClasses ? Scenario.randomWithClasses(seed: seed) : Scenario.random(seed: seed)
        let run = LeagueRun(scenario: scenario, clients: clients, seed: seed)
        let bare = try run.bare()
        return Result(
            seed: seed,
            clients: clients,
            hasClasses: hasClasses,
            standard: try run.score(of: .standard, beside: bare),
            bare: try run.score(of: .bare, beside: bare),
            peers: try LeagueStrategy.peers.map { try run.score(of: $0, beside: bare) }
        )
    }
}

extension [RandomLeague.Result] {
    /// The lines of a report.
    var report: [String] {
        let usual = filter { !$0.hasClasses }
        let withClasses = filter(\.hasClasses)
        return usual.details("league random")
            + ["league random with classes: \(withClasses.sum)"]
            + withClasses.details("league random with classes")
            + [
                "league random: \(usual.sum), worlds with harm \(count { $0.standard.harm > 0 })"
            ]
    }

    private var sum: String {
        "\(count) scenarios, mean gain over bare \(gain.text), over the best peer \(leastGain.text), more "
            + "than two points below bare in \(count { $0.gain < -0.02 })"
    }

    private func details(_ name: String) -> [String] {
        var lines = zip(LeagueStrategy.peers, gains).map { peer, gain in
            "\(name): gain over \(peer.name) \(gain.text)"
        }
        let harmed = LeagueStrategy.peers.indices.map { peer in
            "\(LeagueStrategy.peers[peer].name) in \(count { $0.peers[peer].harm > 0 })"
        }
        let own = count { $0.standard.harm > 0 }
        lines.append("\(name): harm by standard in \(own), \(harmed.joined(separator: ", "))")
        for row in sorted(by: { $0.gain < $1.gain }).prefix(10) {
            lines.append("\(name): \(row.line)")
        }
        for row in filter({ $0.standard.harm > 0 }).prefix(10) {
            lines.append("\(name): \(row.line), harm \(row.standard.harm)")
        }
        return lines
    }

    private var gain: Gain { Gain(map(\.gain)) }

    private var gains: [Gain] {
        LeagueStrategy.peers.indices.map { peer in
            Gain(map { $0.standard.goodput - $0.peers[peer].goodput })
        }
    }

    private var leastGain: Gain { gains.min { $0.mean < $1.mean } ?? Gain([]) }
}

extension RandomLeague.Result {
    fileprivate var line: String {
        "seed \(seed), \(clients) clients: standard \((standard.goodput * 100).tenths), "
            + "bare \((bare.goodput * 100).tenths), sends \(standard.sends.hundredths)"
    }
}

/// A mean with the half-width of its 95 % interval, in points.
private struct Gain {
    let mean: Double
    let bound: Double

    init(_ values: [Double]) {
        let count = Double(Swift.max(1, values.count))
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
        self.mean = mean
        bound = 1.96 * (variance / count).squareRoot()
    }

    var text: String { "\((mean * 100).hundredths) ± \((bound * 100).hundredths)" }
}
