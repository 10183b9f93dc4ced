import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import Resilience

@Suite("The league", .tags(.slow), .processorBound)
struct LeagueTests {
    private static func scenario(_ name: String) throws -> Scenario {
        try unwrap(Scenario.all.first { $0.name == name })
    }

    private static func row(
        _ name: String,
        clients: Int,
        _ strategies: [LeagueStrategy]
    ) throws -> League.Row {
        var league = League()
        league.scenarios = [try scenario(name)]
        league.fleets = [clients]
        league.seeds = 1..<2
        league.strategies = strategies
        return try unwrap(league.rows().first)
    }

    @Test(
        "with an adaptive limit for overloads, comes near the ideal alone",
        arguments: [
            ("brown-out", .limited), ("errors", .standard), ("bursts", .limited),
        ] as [(String, LeagueStrategy)]
    )
    func alone(name: String, strategy: LeagueStrategy) throws {
        let row = try Self.row(name, clients: 1, [.ideal, .bare, strategy])

        let score = try unwrap(row.score(strategy.kind))
        expectTrue(row.share(score) > 0.86)
        expectTrue(score.goodput > (row.score(.bare)?.goodput ?? 1))
        expectTrue(score.sends < 1.35)
    }

    @Test("finds the harm of one limit for all calls, and none by the standard")
    func harm() throws {
        var league = League()
        league.scenarios = Scenario.withClasses.filter {
            ["tenants 10/30", "busy-slow-route", "one-a-minute"].contains($0.name)
        }
        league.fleets = [1]
        league.seeds = 1..<3
        league.strategies = [.bare, .standard, .limited]
        let rows = try league.rows()

        expectEqual(rows.map { $0.score(.standard)?.harm }, [0, 0, 0])
        expectEqual(rows.map { $0.score(.bare)?.harm }, [0, 0, 0])
        expectTrue(rows.contains { ($0.score(.limited)?.harm ?? 0) > 50 })
        expectTrue(rows[0].line.hasSuffix(", harm 0"))
        let harm = rows.reduce(0) { $0 + ($1.score(.limited)?.harm ?? 0) }
        let page = LeaguePage(rows: rows, seeds: league.seeds).html
        expectTrue(page.contains(#"<span class="harm" title="calls harmed">−\#(harm)</span>"#))
    }

    @Test("a fleet of small clients does no harm in a brown-out", arguments: [10, 200])
    func fleet(clients: Int) throws {
        let row = try Self.row("brown-out", clients: clients, [.bare, .standard, .netflix])

        expectTrue(row.lead(over: row.score(.bare)) > -0.01)
        expectTrue(row.lead(over: row.bestPeer?.score) > -0.01)
        try expectTrue(unwrap(row.score(.standard)).sends < 1.25)
        try expectTrue(unwrap(row.score(.standard)).recovery <= 4)
    }

    @Test("rejects and delays nothing on a healthy day", arguments: [1, 200])
    func healthy(clients: Int) throws {
        let row = try Self.row("healthy", clients: clients, [.standard])

        let standard = try unwrap(row.score(.standard))
        expectEqual(standard.goodput, 1)
        expectEqual(standard.turnedAway, 0)
        expectEqual(standard.slowed, 0)
        expectEqual(standard.sends, 1)
    }

    @Test("gives every strategy the same world, and a seed the same score")
    func fair() throws {
        let run = LeagueRun(scenario: try Self.scenario("errors"), clients: 10, seed: 7)

        let bare = try run.score(of: .bare)
        let same = try run.score(of: .okHttp)
        let again = try run.score(of: .bare)
        let other = try LeagueRun(scenario: run.scenario, clients: 10, seed: 8).score(of: .bare)

        expectEqual(bare.goodput, same.goodput)
        expectEqual(bare.perSecond, again.perSecond)
        expectTrue(bare.perSecond != other.perSecond)
        expectEqual(bare.sends, 1)
    }

    @Test(
        "models each peer's sends and fixed waits",
        arguments: [
            ("resilience4j", [0, 500, 1000]), ("Alamofire", [0, 500, 1500]),
            ("Finagle", [0, 0, 0, 0, 0]), ("OkHttp", [0]), ("Netflix", [0]),
        ] as [(String, [Int])]
    )
    func waits(name: String, waits: [Int]) throws {
        let sends = try Self.sends(of: name, seed: 1)

        expectEqual(sends, waits.map { .milliseconds($0) })
    }

    @Test(
        "models each peer's sends and random waits",
        arguments: [
            ("AWS standard", 3, [50, 100]), ("AWS adaptive", 3, [50, 100]),
            ("gRPC", 4, [100, 200, 400]), ("Envoy", 2, [25]),
            ("Microsoft", 4, [4000, 8000, 16000]),
        ] as [(String, Int, [Int])]
    )
    func randomWaits(name: String, most: Int, waits: [Int]) throws {
        var counts: Set<Int> = []
        for seed in 0..<20 as Range<UInt64> {
            let sends = try Self.sends(of: name, seed: seed)
            counts.insert(sends.count)
            for (wait, limit) in zip(zip(sends.dropFirst(), sends).map { $0 - $1 }, waits) {
                expectTrue(wait <= .milliseconds(limit))
            }
        }

        // Microsoft's waits are mostly longer than a call may take.
        expectEqual(counts.max(), (name == "Microsoft" ? counts.max() : most))
        try expectTrue(unwrap(counts.max()) <= most)
        expectTrue(name == "Microsoft" || counts == [most])
    }

    private static func sends(of name: String, seed: UInt64) throws -> [Duration] {
        let strategy = try unwrap(LeagueStrategy.peers.first { $0.name == name })
        return try Simulation.run(seed: seed) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let tally = Tally(calls: 1)
            let backend = LeagueBackend(Scenario.all[0], seed: seed, tally: tally)
            let setting = LeagueStrategy.Setting(backend: backend, clients: 1, seed: seed)
            let pipeline = try Pipeline(
                try strategy.chain(setting),
                transport: transport,
                runtime: simulation.runtime
            )
            _ = try? await pipeline.run(.get("https://service.example/"))
            return transport.sent.map(\.instant.offset)
        }
    }

    @Test("says what it measured in the lines that scripts read")
    func lines() throws {
        let row = try Self.row("healthy", clients: 10, [.ideal, .bare, .standard, .okHttp])

        expectTrue(
            row.line.hasPrefix(
                "league healthy clients 10: standard 1.00 of ideal, bare 1.00, best peer"
            )
        )
        expectTrue(row.line.contains(", sends 1.00, again in 0.0 s"))
        expectEqual(
            [row].summary,
            "league: 1 rows, below 0.9 of ideal alone in 0, more than a point below bare in 0, "
                + "below the best peer in 0, harm in 0"
        )
    }

    @Test("the command line takes seeds and counts for the league")
    func options() {
        let options = Options(["--league", "--seeds", "3", "--from", "9"])
        let random = Options(["--league", "--random", "--count", "5"])

        expectEqual(options?.isLeague, true)
        expectEqual(options?.seeds, 3)
        expectEqual(options?.seed, 9)
        expectEqual(random?.isRandom, true)
        expectEqual(random?.count, 5)
        expectTrue(Options(["--seeds", "0"]) == nil)
        expectTrue(Options(["--count", "many"]) == nil)
    }
}
