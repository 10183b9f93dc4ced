import Expectations
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import Testing

@Suite("EventSource above a chain")
struct EventSourceChainTests {
    private let request: HTTP.Request = .get("https://a.example/feed")

    @Test("waits out a circuit breaker, and counts for it with each connection")
    func breaker() throws {
        var policy = CircuitBreakerPolicy()
        policy.minimumCalls = 2
        policy.breakDuration = .seconds(40)
        policy.window = .seconds(60)
        policy.jitter = 0
        let breaker = CircuitBreaker(policy: policy)
        let feed = Feed(.status(500), .status(500), .text("data: a\n\n"))

        let run = try EventSourceRun(
            feed,
            request,
            upTo: 1,
            interceptors: [CircuitBreakerInterceptor(breaker)]
        )

        expectEqual(run.data, ["a"])
        expectEqual(run.requests.count, 3)
        let rejections = run.reasons.compactMap { $0 as? CircuitBreakerError }
        expectEqual(rejections.count, 1)
        // The wait is that of the break, longer than the 30 s of a source's own.
        expectEqual(run.times[2] - run.times[1], .seconds(40))
    }

    @Test("reports each connection after the first")
    func reports() throws {
        let feed = Feed(.text("data: a\n\n"), .status(503))

        let connections = try Simulation.run(seed: 1) { simulation in
            let sink = RecordingEventSink()
            let client = HTTP.Client(
                transport: feed,
                runtime: simulation.runtime,
                events: sink
            )
            for try await _ in client.events(request) {}
            return sink.events.filter { $0.name == .eventSourceReconnected }
                .map { $0.attributes["connection"] }
        }

        expectEqual(connections, [.number(2), .number(3)])
    }

    @Test("waits out a limit that rejects a connection")
    func limit() throws {
        let limit = RateLimitInterceptor<HTTP.Request>(
            policy: RateLimitPolicy(calls: 1, per: .seconds(300), burst: 1)
        )
        let feed = Feed(.text("id: 1\ndata: a\n\n"), .text("id: 2\ndata: b\n\n"))

        let run = try EventSourceRun(feed, request, upTo: 2, interceptors: [limit])

        expectEqual(run.data, ["a", "b"])
        expectEqual(run.times, [.zero, .seconds(300)])
        expectTrue(run.reasons.last is LimitError)
    }

    @Test("keeps waiting politely while nothing can be sent")
    func isolated() throws {
        let breaker = CircuitBreaker()
        try breaker.isolate("https://a.example")

        let attempts = try Simulation.run(seed: 1) { simulation in
            let client = try HTTP.Client(
                [CircuitBreakerInterceptor(breaker)],
                transport: Feed(),
                runtime: simulation.runtime
            )
            var waits: [Duration] = []
            for try await update in client.events(request).updates {
                if case .willReconnect(let wait, let reason) = update {
                    expectTrue(reason is CircuitBreakerError)
                    waits.append(wait)
                }
                if waits.count == 1000 { break }
            }
            return waits
        }

        expectTrue(attempts.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(30) })
    }
}
