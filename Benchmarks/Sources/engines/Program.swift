import EngineRows
import Engines
import Loading
import Nginx
import Reporting

/// Measures every engine against its rivals.
@main
struct Program {
    private static let usage = "engines [--rounds 4] [--milliseconds 1000] [--connections 64]"

    static func main() async {
        await runProgram {
            var arguments = try Arguments(usage: usage)
            let rounds = try arguments.number("rounds", default: 4)
            let stretch = try arguments.number("milliseconds", default: 1000)
            let connections = try arguments.number("connections", default: 64)
            try arguments.end()

            let server = try Nginx.start()
            defer { server.stop() }
            try await measure(
                server,
                rounds: rounds,
                stretch: .milliseconds(stretch),
                connections: connections
            )
        }
    }

    private static func measure(
        _ server: Nginx,
        rounds: Int,
        stretch: Duration,
        connections: Int
    ) async throws {
        let bare = Fetcher.dataForRequest(connections: connections)
        let fetchers =
            try [bare, .asyncHTTPClient(connections: connections)]
            + Engine.all.map { try Fetcher($0, connections: connections) }
        defer { for fetcher in fetchers { fetcher.close() } }
        let own: [any Contender] = fetchers + [LibcurlInC()]
        let all = own + [Wrk()].compactMap(\.self)

        say("\(connections) connections each; \(rounds) rounds of \(stretch) in turns.\n")
        let loads = Load.standard(from: server)
        let compared = try await Comparison(all, rounds: rounds, stretch: stretch)
            .run(loads) { part in say("\(part.table(against: bare.name))\n") }
        say("\(try await allocations(of: own, under: loads, for: stretch / 4))\n")
        say(EngineRatios(compared))
    }

    private static func allocations(
        of contenders: [any Contender],
        under loads: [Load],
        for duration: Duration
    ) async throws -> Table {
        var table = Table(["allocations per request"] + loads.map(\.name))
        for contender in contenders {
            var row = [contender.name]
            for load in loads {
                let count = try await Allocations.perRequest(
                    of: contender,
                    under: load,
                    for: duration
                )
                row.append(count?.text(digits: 1) ?? "not counted")
            }
            table.append(row)
        }
        return table
    }
}
