import InterceptorKit
import InterceptorKitConformance
import InterceptorKitStreaming
import InterceptorKitTesting
import Testing

@Suite("ScriptedEventStream")
struct ScriptedEventStreamTests {
    private let events = (1...5).map { HTTP.ServerSentEvent(data: "price \($0)", id: "\($0)") }
    // All of them, as they are served.
    private let size = 5 * "id: 1\ndata: price 1\n\n".utf8.count

    @Test("a consumer loses nothing if the stream breaks")
    func documented() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(events).breaking(after: 17)
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            let prices = try await prices(
                from: client.events(.get("https://api.example.com/prices"))
            )

            #expect(prices == events.map(\.data))
            #expect(feed.connections.map(\.lastEventID) == [nil, nil, "5"])
            #expect(feed.openConnections == 0)
        }
    }

    @Test(
        "breaks between any two bytes, in each way",
        arguments: [ScriptedEventStream.Break.error, .end, .silence]
    )
    func breaks(by way: ScriptedEventStream.Break) throws {
        for cut in 0...size {
            try Simulation.run(seed: UInt64(cut)) { [events] simulation in
                let feed = ScriptedEventStream(events).breaking(after: cut, by: way)
                    .splitting(into: cut % 7 + 1)
                let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

                let received = try await prices(from: client.events(.get("https://a.example")))

                #expect(received == events.map(\.data), "cut after \(cut) bytes")
                #expect(feed.connections.count >= 2)
                #expect(feed.openConnections == 0)
            }
        }
    }

    @Test("serves events at their instants, across a break")
    func instants() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(events, every: .seconds(10)).breaking(
                after: 30,
                by: .end
            )
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            var times: [Duration] = []
            for try await _ in client.events(.get("https://a.example")) {
                times.append(simulation.runtime.now.offset)
            }

            #expect(times.map { $0.components.seconds } == [0, 10, 20, 30, 40])
            // The first ten bytes of the second event came with it.
            #expect(feed.connections.map(\.lastEventID) == [nil, "1", "5"])
            let second = try #require(feed.connections.dropFirst().first)
            #expect(second.instant.offset >= .seconds(10))
        }
    }

    @Test("serves events at instants of their own")
    func ownInstants() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(at: [
                (.milliseconds(5), events[0]), (.seconds(50), events[1]),
            ])
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            var times: [Duration] = []
            for try await _ in client.events(.get("https://a.example")) {
                times.append(simulation.runtime.now.offset)
            }

            #expect(times == [.milliseconds(5), .seconds(50)])
        }
    }

    @Test("answers connections as told, one after another")
    func answers() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(events)
                .failing()
                .answering(503, headers: ["Retry-After": "120"], body: "later")
                .breaking(after: 25)
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            var reasons: [any Error] = []
            var waits: [Duration] = []
            for try await update in client.events(.get("https://a.example")).updates {
                guard case .willReconnect(let wait, let reason) = update else { continue }
                waits.append(wait)
                reasons.append(reason)
            }

            #expect((reasons[0] as? TransportError)?.code == .cannotConnect)
            let refusal = try #require(reasons[1] as? HTTP.StreamingError)
            #expect(refusal.response?.status == 503)
            #expect(try await refusal.response?.text() == "later")
            #expect(waits[1] == .seconds(120))
            #expect((reasons[2] as? TransportError)?.code == .connectionLost)
            #expect(reasons.count == 4)  // The last one is the end of all events.
        }
    }

    @Test("throws what a connection is told to fail with")
    func failure() throws {
        try Simulation.run { simulation in
            let feed = ScriptedEventStream([]).failing(with: TestKitError(.exhausted, "It broke."))
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            let error = await #expect(throws: TestKitError.self) {
                try await prices(from: client.events(.get("https://a.example")))
            }

            #expect(error?.description == "It broke.")
        }
    }

    @Test("finds the cursor where it is told")
    func cursors() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(events).resuming { $0.headers["Cursor"] }
                .breaking(after: 25)
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}
            var options = HTTP.EventSourceOptions()
            options.resume = { request, id in request.headers["Cursor"] = id }

            let received = try await prices(
                from: client.events(.get("https://a.example"), options: options)
            )

            #expect(received == events.map(\.data))
            #expect(feed.connections.map(\.lastEventID) == [nil, "1", "5"])
        }
    }

    @Test("delivers chunks of the size told")
    func chunks() throws {
        try Simulation.run { [events] simulation in
            let client = try HTTP.Client(
                transport: ScriptedEventStream(events).splitting(into: 4),
                runtime: simulation.runtime
            ) {}

            var sizes: [Int] = []
            for try await chunk in try await client.send(.get("https://a.example")).body {
                sizes.append(chunk.count)
            }

            #expect(Array(sizes.prefix(6)) == [4, 4, 4, 4, 4, 1])
        }
    }

    @Test("a loop that is left, and a client that cancels, close the connection")
    func releases() throws {
        try Simulation.run { [events] simulation in
            let feed = ScriptedEventStream(events, every: .seconds(1_000))
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime) {}

            for try await _ in client.events(.get("https://a.example")) { break }
            #expect(feed.openConnections == 0)

            var options = HTTP.EventSourceOptions()
            options.silenceLimit = .seconds(10_000)
            var stream = client.events(.get("https://a.example"), options: options)
                .makeAsyncIterator()
            _ = try await stream.next()
            #expect(feed.openConnections == 1)
            async let canceller: Void = {
                try await simulation.runtime.sleep(for: .seconds(5))
                client.cancelAll()
            }()
            await #expect(throws: CancellationError.self) { try await stream.next() }
            try await canceller
            #expect(feed.openConnections == 0)
            #expect(simulation.runtime.now.offset < .seconds(10))
        }
    }
}

/// A user's code that is tested.
private func prices(from source: HTTP.EventSource) async throws -> [String] {
    var prices: [String] = []
    for try await event in source { prices.append(event.data) }
    return prices
}
