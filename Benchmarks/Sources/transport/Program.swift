import Engines
import Loading
import Nginx
import Reporting

/// Measures `URLSessionTransport` against `URLSession.data(for:)`.
@main
struct Program {
    private static let usage = "transport [--rounds 6] [--milliseconds 1000] [--connections 64]"

    static func main() async {
        await runProgram {
            var arguments = try Arguments(usage: usage)
            let rounds = try arguments.number("rounds", default: 6)
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
        let tuned = Fetcher.tunedDataForRequest(connections: connections)
        let own = try Fetcher(.urlSession, connections: connections)
        defer { for fetcher in [bare, tuned, own] { fetcher.close() } }

        say(
            "\(connections) connections allowed to each; \(rounds) rounds of \(stretch) in turns.\n"
        )
        let compared = try await Comparison([bare, tuned, own], rounds: rounds, stretch: stretch)
            .run(Load.standard(from: server)) { part in
                say("\(part.table(against: bare.name))\n")
            }
        let lateness = try await DeadlineLateness.measure(server, connections: connections)
        say("\(lateness)\n")
        say(Ratios(compared, of: own.name, to: [bare.name, tuned.name]))
    }
}
