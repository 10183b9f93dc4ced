import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let reconnectionWaits: [Self] = [
        waiting("waits as Retry-After of a 503 says", .seconds(1)) { _ in
            .status(503, headers: ["Retry-After": "1"])
        },
        waiting("waits as Retry-After of a 429 says", .seconds(1)) { _ in
            .status(429, headers: ["Retry-After": "1"])
        },
        waiting("waits as the stream's retry says", .milliseconds(300)) { _ in
            StreamContext.stream("retry: 300\n\n")
        },
        stream("makes one connection an interval to a server that accepts and closes") { context in
            let server = try context.context.server { request in
                request.number < 5
                    ? StreamContext.stream("").endingWithConnection() : .status(204)
            }
            var options = context.options
            options.minimumInterval = .milliseconds(100)

            let start = Runtime.live.now
            _ = try await context.received(from: server, options)
            let elapsed = start.duration(to: Runtime.live.now)

            try expect(server.requests.count, is: 5, "The number of requests")
            try expect(elapsed >= .milliseconds(400), "They took \(elapsed).")
        },
        stream("gives up a connection that is silent, and closes it") { context in
            let server = try context.server { $0.stalledInBody(after: context.middle(of: 2)) }
            var options = context.options
            options.silenceLimit = .milliseconds(100)

            try await context.receiveAll(from: server, options)

            try expect(context.resumedIDs(server), is: [nil, "2", "5"], "The ids")
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        stream("takes comments for signs of life") { context in
            let comments = String(repeating: ": alive.\n", count: 8)
            let reply = StreamContext.stream(comments + "data: x\n\n")
                .throttled(bytes: 9, every: .milliseconds(120))
            let server = try context.context.server(reply)
            var options = context.options
            options.silenceLimit = .milliseconds(700)

            var events = context.source(server, options).makeAsyncIterator()
            let event = try await events.next()

            try expect(event?.data, is: "x", "The event")
            try expect(server.requests.count, is: 1, "The number of requests")
        },
        stream("gives up a head that does not come in time") { context in
            let server = try context.server { _ in .stalled }
            let source = context.client.events(
                .get(server.url("/")),
                options: context.options,
                timeout: .milliseconds(200)
            )

            var received: [HTTP.ServerSentEvent] = []
            for try await event in source { received.append(event) }

            try expect(received, is: context.events, "What was received")
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    /// A requirement that the connection after a first response begins no sooner than a wait.
    private static func waiting(
        _ name: String,
        _ wait: Duration,
        _ reply: @escaping @Sendable (LoopbackServer.Reply) -> LoopbackServer.Reply
    ) -> Self {
        stream(name) { context in
            let server = try context.server(reply)

            let start = Runtime.live.now
            try await context.receiveAll(from: server)
            let elapsed = start.duration(to: Runtime.live.now)

            try expect(elapsed >= wait, "The events came after \(elapsed).")
        }
    }
}
