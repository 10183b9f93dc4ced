import EngineRows
import Engines
import Loading
import Nginx

extension Group {
    /// How requests a second of the library's engines stand to those of what they are built on.
    static let engines =
        [(1, 1.0), (8, 1.0), (64, 1.0)].map { Pair.urlSession.group(.small, $0, atLeast: $1) }
        + [(1, 1.0), (8, 1.0), (64, 1.0)].map { Pair.urlSession.group(.mebibyte, $0, atLeast: $1) }
        + [(1, 0.65), (8, 0.7), (64, 0.75)].map { Pair.curl.group(.small, $0, atLeast: $1) }
        + [(1, 0.6), (8, 0.6), (64, 0.6)].map { Pair.curl.group(.mebibyte, $0, atLeast: $1) }
        + [Pair.asyncHTTPClient.group(.small, 64, atLeast: 0.95)]
}

/// What a server answers with.
private enum Content: String {
    case small = "small"
    case mebibyte = "1 MiB"

    func load(_ inFlight: Int, from server: Nginx) -> Load {
        switch self {
        case .small: .small(inFlight: inFlight, from: server)
        case .mebibyte: .mebibyte(inFlight: inFlight, from: server)
        }
    }
}

/// An engine of the library, and what it is measured by.
private struct Pair: Sendable {
    private static let connections = 64

    static let urlSession = Pair(name: "URLSessionTransport to data(for:)") {
        try Fetcher(.urlSession, connections: connections)
    } rival: {
        Fetcher.dataForRequest(connections: connections)
    }

    static let curl = Pair(name: "CurlTransport to libcurl in C") {
        try Fetcher(.curl, connections: connections)
    } rival: {
        LibcurlInC()
    }

    static let asyncHTTPClient = Pair(name: "AsyncHTTPClientTransport to bare AsyncHTTPClient") {
        guard let engine = Engine.all.first(where: { $0.name == "ahc" }) else {
            throw NotMeasured("this was built without the trait AsyncHTTPClient")
        }
        return try Fetcher(engine, connections: connections)
    } rival: {
        Fetcher.asyncHTTPClient(connections: connections)
    }

    let name: String
    private let engine: @Sendable () throws -> Fetcher
    private let rival: @Sendable () -> any Contender

    private init(
        name: String,
        engine: @escaping @Sendable () throws -> Fetcher,
        rival: @escaping @Sendable () -> any Contender
    ) {
        self.name = name
        self.engine = engine
        self.rival = rival
    }

    /// A comparison under one load, with a server and connections of its own: no other one fails with it.
    func group(_ content: Content, _ inFlight: Int, atLeast goal: Double) -> Group {
        let name = "\(name), \(content.rawValue), \(inFlight) in flight"
        return Group(name, [Row(name, .ratio, .atLeast(goal)) { $0 }]) { plan in
            let server = try Nginx.start()
            defer { server.stop() }
            let engine = try engine()
            defer { engine.close() }
            let rival = rival()
            defer { (rival as? Fetcher)?.close() }
            let compared = try await Comparison(
                [engine, rival],
                rounds: plan.rounds,
                stretch: plan.stretch
            )
            .run([content.load(inFlight, from: server)]) { _ in }
            return compared.first?.ratio(of: engine.name, to: rival.name) ?? .nan
        }
    }
}
