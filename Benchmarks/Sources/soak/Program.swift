import Engines
import Loading
import Nginx
import ProcessFigures
import Reporting

/// Sends very many requests and looks at what memory each leaves behind.
@main
struct Program {
    private static let usage = """
        soak [--requests 1000000] [--in-flight 16] [--engine \(Engine.names)]
        """

    static func main() async {
        await runProgram {
            var arguments = try Arguments(usage: usage)
            let requests = try arguments.number("requests", default: 1_000_000)
            let inFlight = try arguments.number("in-flight", default: 16)
            let engine = try Engine.chosen(in: &arguments)
            try arguments.end()

            let server = try Nginx.start()
            defer { server.stop() }
            let soak = Soak(url: server.url("/small"), inFlight: inFlight)
            var foundation = Growth.none
            if engine.isURLSession {
                let bare = Fetcher.tunedDataForRequest(connections: inFlight)
                foundation = try await soak.run(bare, requests: max(requests / 10, 20_000))
                bare.close()
            }
            let own = try Fetcher(engine, connections: inFlight)
            let growth = try await soak.run(own, requests: requests)
            own.close()
            say(SoakConclusion(requests: requests, of: growth, foundation: foundation))
        }
    }
}
