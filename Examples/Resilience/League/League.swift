import Dispatch
import Synchronization

/// Scenarios × strategies × sizes of a fleet, each with a number of seeds.
struct League: Sendable {
    /// A scenario with a number of clients.
    struct Row: Sendable {
        let scenario: Scenario
        let clients: Int
        /// In the order of ``League/strategies``.
        let scores: [Score]
        let strategies: [LeagueStrategy]
    }

    static let fleets = [1, 10, 200]

    var strategies = LeagueStrategy.all
    var scenarios = Scenario.all.flatMap { [$0, $0.limited(by: .standard)] } + Scenario.withClasses
    var fleets = League.fleets
    var seeds: Range<UInt64> = 1..<21

    /// Runs all of it on all processors.
    /// - Parameter finished: Called with each row when it is there.
    func rows(finished: (Row) -> Void = { _ in }) throws -> [Row] {
        let cells = scenarios.flatMap { scenario in
            // Calls of classes are few: several clients would make hardly any each.
            (scenario.classes.isEmpty ? fleets : [1]).map { (scenario, $0) }
        }
        return try cells.map { scenario, clients in
            let row = try row(scenario, clients)
            finished(row)
            return row
        }
    }

    private func row(_ scenario: Scenario, _ clients: Int) throws -> Row {
        let scores = try Self.concurrently(seeds.count) { index in
            let seed = seeds.lowerBound + UInt64(index)
            let run = LeagueRun(scenario: scenario, clients: clients, seed: seed)
            let bare = try run.bare()
            return try strategies.map { try run.score(of: $0, beside: bare) }
        }
        return Row(
            scenario: scenario,
            clients: clients,
            scores: strategies.indices.map { place in Score.mean(scores.map { $0[place] }) },
            strategies: strategies
        )
    }

    /// Does numbered work on all processors.
    static func concurrently<Value: Sendable>(
        _ count: Int,
        _ work: @Sendable (Int) throws -> Value
    ) throws -> [Value] {
        let results = Mutex([Result<Value, any Error>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try work(index) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { $0 }.compactMap { try $0?.get() }
    }
}

extension League.Row {
    func score(_ kind: LeagueStrategy.Kind) -> Score? {
        strategies.firstIndex { $0.kind == kind }.map { scores[$0] }
    }

    /// The peer with the most goodput.
    var bestPeer: (name: String, score: Score)? {
        zip(strategies, scores).filter { $0.0.kind == .peer }
            .max { $0.1.goodput < $1.1.goodput }.map { ($0.0.name, $0.1) }
    }

    /// A goodput as a share of the ideal.
    func share(_ score: Score?) -> Double {
        (score?.goodput ?? 0) / max(self.score(.ideal)?.goodput ?? 0, 1e-9)
    }

    /// The row in one line.
    var line: String {
        let standard = score(.standard)
        let peer = bestPeer
        return
            "league \(scenario.name) clients \(clients): standard \(share(standard).hundredths) of ideal, "
            + "bare \(share(score(.bare)).hundredths), best peer \(share(peer?.score).hundredths) "
            + "(\(peer?.name ?? "none")), \(limitedPart)sends \((standard?.sends ?? 0).hundredths), "
            + "again in \((standard?.recovery ?? 0).tenths) s, first success after "
            + "\((standard?.firstSuccess ?? 0).tenths) s (bare \((score(.bare)?.firstSuccess ?? 0).tenths)), "
            + "harm \(standard?.harm ?? 0)"
    }

    private var limitedPart: String {
        score(.limited).map { "with adaptive limit \(share($0).hundredths), " } ?? ""
    }
}

extension [League.Row] {
    /// The sum of the table.
    var summary: String {
        let below = filter { $0.clients == 1 && $0.share($0.score(.standard)) < 0.9 }.count
        let belowBare = filter { $0.lead(over: $0.score(.bare)) < -0.01 }.count
        let belowPeer = filter { $0.lead(over: $0.bestPeer?.score) < -0.01 }.count
        return
            "league: \(count) rows, below 0.9 of ideal alone in \(below), more than a point below bare "
            + "in \(belowBare), below the best peer in \(belowPeer), harm in \(harmed)"
    }

    private var harmed: Int { count { ($0.score(.standard)?.harm ?? 0) > 0 } }

    /// The calls that each strategy harms, in all rows.
    var harmLine: String {
        guard let strategies = first?.strategies else { return "league harm:" }
        let parts = strategies.indices.compactMap { index -> String? in
            let strategy = strategies[index]
            guard strategy.kind != .ideal else { return nil }
            let harm = reduce(0) { $0 + $1.scores[index].harm }
            let rows = count { $0.scores[index].harm > 0 }
            return "\(strategy.name) \(harm) calls in \(rows) rows"
        }
        return "league harm: \(parts.joined(separator: ", "))"
    }
}

extension League.Row {
    /// How much more goodput the standard pipeline has than another.
    func lead(over other: Score?) -> Double {
        (score(.standard)?.goodput ?? 0) - (other?.goodput ?? 0)
    }
}
