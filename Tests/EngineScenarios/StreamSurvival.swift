import Foundation
package import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import TestRun

/// One event stream over an engine, whose connections break and whose server is stopped and started again.
/// `INTERCEPTORKIT_STREAM=100000` makes it longer.
package struct StreamSurvival {
    /// What came of the events.
    package struct Report: CustomStringConvertible {
        package let description: String
        package let lost: Int
        package let doubled: Int
        /// Events that came before an earlier one or with another content.
        package let wrong: Int
        /// Connections that the server broke.
        package let breaks: Int
        /// Connections that the client made after one had ended.
        package let reconnections: Int
    }

    // Below the ports that systems give to clients: one of these that connects while nobody listens could
    // meet itself there.
    private static let ports = 20_000..<30_000

    /// How many connections the server is to break, also by being stopped.
    package let breaks: Int

    private let feed: BreakingFeed
    private let restarts: Int
    private var random: SeededGenerator

    package init(events: Int = streamedEvents, seed: UInt64 = 1) {
        restarts = events / 100
        // Short connections, since a client reads on what had arrived when a server stopped.
        let broken = max(50 - restarts, events / 50)
        breaks = broken + restarts
        feed = BreakingFeed(count: events, breaks: broken, seed: seed)
        random = SeededGenerator(seed: seed)
    }

    /// Reads the stream to its end.
    package mutating func run(
        _ engine: String,
        over transport: some Transport<HTTP.Request>
    ) async throws -> Report {
        let client = try HTTP.Client(transport: transport) {}
        var options = HTTP.EventSourceOptions()
        options.minimumInterval = .milliseconds(1)
        options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(4))
        var server = try anyServer()
        defer { server.stop() }
        let url = server.url("/")
        let port = server.port
        var refusals: Int?
        var restarted = 0
        var tally = Tally(count: feed.count)

        for try await update in client.events(.get(url), options: options).updates {
            switch update {
            case .event(let event):
                tally.take(event, from: feed)
                // The last ones come early, so that those which came late leave time for all.
                let isTime =
                    tally.taken * (restarts + restarts / 10 + 1) > (restarted + 1) * feed.count
                guard refusals == nil, restarted < restarts, isTime else { continue }
                server.stop()
                refusals = random.next(below: 3)
            case .willReconnect:
                tally.reconnections += 1
                guard let rest = refusals else { continue }
                refusals = rest == 0 ? nil : rest - 1
                guard rest == 0 else { continue }
                restarted += 1
                server = try self.server(on: port)
            case .ended(let error?): throw error
            case .opened, .comment, .ended: continue
            }
        }
        return tally.report(engine, breaks: feed.breaks + restarted)
    }

    private mutating func anyServer() throws -> LoopbackServer {
        for _ in 0..<100 {
            let port = Self.ports.lowerBound + random.next(below: Self.ports.count)
            if let server = try? server(on: port) { return server }
        }
        return try server(on: Self.ports.lowerBound)
    }

    private func server(on port: Int) throws -> LoopbackServer {
        var options = LoopbackServer.Options()
        options.port = port
        options.recordsRequests = false
        return try LoopbackServer(options: options) { [feed] request in feed.reply(to: request) }
    }
}

/// Which events came, and how often.
private struct Tally {
    private var times: [Int]
    private var last = 0
    private var wrong = 0
    private(set) var taken = 0
    var reconnections = 0

    init(count: Int) { times = Array(repeating: 0, count: count) }

    mutating func take(_ event: HTTP.ServerSentEvent, from feed: BreakingFeed) {
        taken += 1
        guard let number = event.id.flatMap({ Int($0) }), 1...times.count ~= number else {
            wrong += 1
            return
        }
        if event.data != feed.data(of: number) || number < last { wrong += 1 }
        times[number - 1] += 1
        last = number
    }

    func report(_ engine: String, breaks: Int) -> StreamSurvival.Report {
        let lost = times.count { $0 == 0 }
        let doubled = times.count { $0 > 1 }
        return StreamSurvival.Report(
            description:
                "streams \(engine): \(times.count) events over \(breaks) breaks, \(lost) lost, "
                + "\(doubled) doubled",
            lost: lost,
            doubled: doubled,
            wrong: wrong,
            breaks: breaks,
            reconnections: reconnections
        )
    }
}
