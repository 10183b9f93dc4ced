import InterceptorKit
import InterceptorKitTesting
import Testing

/// The tests that the guide shows.
@Suite struct TestAnInterceptorTests {
    @Test("a retry waits as long as the server asks")
    func retryAfter() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(503, headers: ["Retry-After": "30"]),
            .json(#"{"id": 7}"#),
        ])

        let response = try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: transport,
                timeout: .seconds(60),
                runtime: simulation.runtime
            ) {
                RetryInterceptor(policy: .standard)
            }
            return try await client.send(.get("https://api.example.com/orders/7"))
        }

        #expect(response.status == 200)
        #expect(response.attempts.map(\.reason) == ["503 Service Unavailable", "success"])
        let waited = transport.sent[0].instant.duration(to: transport.sent[1].instant)
        #expect(waited >= .seconds(30) && waited <= .seconds(31))
    }

    @Test("a call that is cancelled while its request is in flight ends at once")
    func cancelledInFlight() throws {
        let gate = Gate("order in flight")
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])

        let result = try Simulation.run { simulation in
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: .standard)
            }
            return try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        _ = try await pipeline.run(.get("https://api.example.com/orders"))
                        return false
                    } catch is CancellationError {
                        return true
                    }
                }
                try await gate.waitForArrivals(1)
                group.cancelAll()
                return try await group.next()
            }
        }

        #expect(result == true)
        #expect(transport.sent.count == 1)
    }

    @Test("twenty rejected calls refresh the token once, in any order")
    func refresh() throws {
        try simulate(seeds: 0..<100) { simulation in
            let refreshes = Counter()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
            }
            let tokens = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                await refreshes.add()
                return .bearer("new")
            }
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        _ = try await client.send(.get("https://api.example.com/orders"))
                    }
                }
                try await group.waitForAll()
            }
            let count = await refreshes.count
            try #require(count == 1)
        }
    }

    @Test("each attempt and each wait is reported")
    func events() throws {
        let events = RecordingEventSink()
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])

        try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                events: events
            ) {
                RetryInterceptor(policy: .standard)
            }
            _ = try await client.send(.get("https://api.example.com/orders"))
        }

        #expect(
            events.names == [
                .callBegan, .entered, .attemptBegan, .entered, .left, .attemptEnded,
                .retryScheduled, .waitBegan, .waitEnded, .attemptBegan, .entered, .left,
                .attemptEnded, .left, .callEnded,
            ]
        )
    }
}

private actor Counter {
    private(set) var count = 0

    func add() { count += 1 }
}
