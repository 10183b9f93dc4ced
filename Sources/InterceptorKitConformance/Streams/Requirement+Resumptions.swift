import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let resumptions: [Self] = [
        broken("a connection that closes within an event") {
            $0.truncated(after: $1.middle(of: 2))
        },
        broken("a connection that is reset within an event") {
            $0.resetInBody(after: $1.middle(of: 2))
        },
        broken("a chunk that is cut off") {
            $0.chunked(size: 1000).truncated(after: $1.middle(of: 2))
        },
        broken("chunks that end without the last one") {
            $0.chunked(size: 7).truncated(after: $1.middle(of: 2))
        },
        ended("a body that ends with its connection") { $0.endingWithConnection() },
        ended("a body that ends with its last chunk") { $0.chunked() },
        ended("a body that ends at its length") { $0 },
        stream("loses nothing, whichever byte the server dies at") { context in
            let count = EventEncoding.bytes(of: context.events).count
            let server = try context.context.server { request in
                let reply = LoopbackServer.Reply.events(context.events, for: request)
                // The first of two connections breaks at the byte in the path.
                guard request.number % 2 == 1 else { return reply }
                return reply.truncated(after: Int(request.path.dropFirst()) ?? 0)
            }

            for cut in 0..<count {
                var received: [HTTP.ServerSentEvent] = []
                let url = server.url("/\(cut)")
                for try await event in context.client.events(.get(url), options: context.options) {
                    received.append(event)
                    if received.count == context.events.count { break }
                }
                try expect(received, is: context.events, "What was received after \(cut) bytes")
            }
        },
        stream("connects again when the server is back") { context in
            let server = try context.serverThatRestarts { [events = context.events] request in
                LoopbackServer.Reply.events(events, for: request)
                    .truncated(after: context.middle(of: 2))
            }
            var received: [HTTP.ServerSentEvent] = []
            var breaks: [any Error] = []
            for try await update in context.source(server).updates {
                switch update {
                case .event(let event): received.append(event)
                case .ended(let error?): throw error
                case .willReconnect(_, let error):
                    breaks.append(error)
                    if breaks.count == 1 { server.stop() }
                    if breaks.count == 3 { try context.restart(server) }
                case .opened, .comment, .ended: break
                }
            }

            try expect(received, is: context.events, "What was received")
            try expect(breaks.count >= 3, "It broke \(breaks.count) times.")
            let codes = breaks.dropFirst().prefix(2).map { ($0 as? TransportError)?.code }
            try expect(codes, is: [.cannotConnect, .cannotConnect], "The errors without a server")
        },
        stream("drops what a server sends again that resumes too early") { context in
            let server = try context.context.server { [events = context.events] request in
                let reply = LoopbackServer.Reply.events(
                    events,
                    after: request.headers["Last-Event-ID"].map { $0 == "5" ? "5" : "1" }
                )
                return request.number == 1 ? reply.truncated(after: context.middle(of: 3)) : reply
            }

            try await context.receiveAll(from: server)

            try expect(context.resumedIDs(server), is: [nil, "3", "5"], "The ids")
        },
    ]

    /// A response that fails within the third event: events before it come once, and the rest later.
    private static func broken(
        _ what: String,
        _ change: @escaping @Sendable (LoopbackServer.Reply, StreamContext) -> LoopbackServer.Reply
    ) -> Self {
        stream("loses nothing by \(what)") { context in
            let server = try context.server { change($0, context) }

            try await context.receiveAll(from: server)

            try expect(context.resumedIDs(server), is: [nil, "2", "5"], "The ids")
        }
    }

    /// A response that ends within the third event as if it were whole.
    private static func ended(
        _ what: String,
        _ change: @escaping @Sendable (LoopbackServer.Reply) -> LoopbackServer.Reply
    ) -> Self {
        stream("loses nothing by \(what)") { context in
            let beginning = EventEncoding.bytes(of: context.events).prefix(context.middle(of: 2))
            let server = try context.server { _ in
                change(.status(200, headers: EventEncoding.headers, body: beginning))
            }

            try await context.receiveAll(from: server)

            try expect(context.resumedIDs(server), is: [nil, "2", "5"], "The ids")
        }
    }
}

extension StreamContext {
    // Below the ports that systems give to clients: a client with such a port could connect to itself when nobody
    // listens on it.
    private static let ports = 20_000..<30_000

    /// Starts a server on a port that stays free when it stops.
    fileprivate func serverThatRestarts(
        _ handler: @escaping @Sendable (LoopbackServer.Request) async -> LoopbackServer.Reply
    ) throws -> LoopbackServer {
        var options = LoopbackServer.Options()
        for _ in 0..<100 {
            options.port =
                Self.ports.lowerBound
                + Int(Runtime.live.randomFraction() * Double(Self.ports.count))
            if let server = try? context.server(options, handler) { return server }
        }
        throw ExpectationFailure("No port is free from \(Self.ports).")
    }

    /// Serves the events on the port of a stopped server.
    fileprivate func restart(_ server: LoopbackServer) throws {
        var options = LoopbackServer.Options()
        options.port = server.port
        _ = try context.server(options) { [events] request in .events(events, for: request) }
    }
}
