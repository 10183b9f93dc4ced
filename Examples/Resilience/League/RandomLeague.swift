/// The standard pipeline against bare and each peer in scenarios that are drawn.
struct RandomLeague: Sendable {
    struct Result: Sendable {
        let seed: UInt64
        let clients: Int
        let standard: Double
        let bare: Double
        /// In the order of ``LeagueStrategy/peers``.
        let peers: [Double]
    }

    var count = 500
    var first: UInt64 = 1

    /// Runs all of it on all processors.
    func results() throws -> [Result] {
        try League.concurrently(count) { index in
            let seed = first + UInt64(index)
            let (scenario, clients) = Scenario.random(seed: seed)
            let run = LeagueRun(scenario: scenario, clients: clients, seed: seed)
            return Result(
                seed: seed,
                clients: clients,
                standard: try run.score(of: .standard).goodput,
                bare: try run.score(of: .bare).goodput,
                peers: try LeagueStrategy.peers.map { try run.score(of: $0).goodput }
            )
        }
    }
}

extension [RandomLeague.Result] {
    /// The sum, the gain over each peer, and the ten worst by their seeds.
    var report: [String] {
        let gains = LeagueStrategy.peers.indices.map { peer in
            Gain(map { $0.standard - $0.peers[peer] })
        }
        let bare = Gain(map { $0.standard - $0.bare })
        let least = gains.map(\.mean).min() ?? 0
        let below = filter { $0.standard < $0.bare - 0.02 }.count
        let worst = sorted { $0.standard - $0.bare < $1.standard - $1.bare }.prefix(10)
        var lines = [
            "league random: \(count) scenarios, mean gain over bare \(bare.text), over the best peer "
                + "\((least * 100).hundredths), more than two points below bare in \(below)"
        ]
        for (peer, gain) in zip(LeagueStrategy.peers, gains) {
            lines.append("league random: gain over \(peer.name) \(gain.text)")
        }
        for row in worst {
            let (standard, bare) = ((row.standard * 100).tenths, (row.bare * 100).tenths)
            lines.append(
                "league random: seed \(row.seed), \(row.clients) clients: standard \(standard), "
                    + "bare \(bare)"
            )
        }
        return lines
    }
}

/// A mean with the half-width of its 95 % interval, in points.
private struct Gain {
    let mean: Double
    let bound: Double

    init(_ values: [Double]) {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
        self.mean = mean
        bound = 1.96 * (variance / count).squareRoot()
    }

    var text: String { "\((mean * 100).hundredths) ± \((bound * 100).hundredths)" }
}
