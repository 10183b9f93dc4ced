import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("RateLimitInterceptor")
struct RateLimitInterceptorTests {
    @Test("waits as long as the server asks, and then starts")
    func pause() async throws {
        let (times, waits) = try await onEverySeed(0..<200) { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "7"])
            let client = try simulation.client(server.transport) {
                RateLimitInterceptor(policy: .onePartition)
            }
            _ = try await client.send(.get(orders))
            server.answer(200)
            _ = try await client.send(.get(orders))
            let first = simulation.now.offset
            server.answer(200, headers: ["RateLimit": #""x";r=0;t=5"#])
            _ = try await client.send(.get(orders))
            server.answer(200)
            _ = try await client.send(.get(orders))
            let other = try await client.send(.get("https://other.example/")).status
            return ([first, simulation.now.offset], other)
        }

        expectEqual(times, [.seconds(7), .seconds(12)])
        expectEqual(waits, 200)
    }

    @Test("reports what it learned of the rate, and of which authority")
    func learnt() throws {
        let sink = RecordingEventSink()
        try Simulation.run { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "7"])
            let client = try simulation.client(server.transport, events: sink) {
                RateLimitInterceptor(policy: .onePartition)
            }
            _ = try await client.send(.get(orders))
            server.answer(200, headers: ["RateLimit": #""x";r=3;t=5"#])
            _ = try await client.send(.get(orders))
        }

        let learnt = sink.events.filter { $0.name == .rateLearned }.map(\.attributes)
        let authority: Event.Value = .text("https://api.example.com")
        expectEqual(
            learnt,
            [
                ["pause": .duration(.seconds(7)), "authority": authority],
                [
                    "remaining": .number(3), "resets_in": .duration(.seconds(5)),
                    "authority": authority,
                ],
            ]
        )
    }

    @Test("learns from errors of inputs that are not HTTP")
    func otherInputs() async throws {
        let time = try await onEverySeed(0..<20) { simulation in
            let fails = Lock(true)
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, _ in
                    if fails.withLock({ $0 }) { throw Throttled() }
                    return input
                },
                runtime: simulation.runtime
            ) {
                RateLimitInterceptor(RateLimiter(policy: .onePartition))
            }
            _ = try? await pipeline.run(1)
            fails.withLock { $0 = false }
            _ = try await pipeline.run(1)
            return simulation.now.offset
        }

        expectEqual(time, .seconds(3))
    }

    @Test("opens no circuit breaker on many 429s, and delays the next call")
    func throttled() async throws {
        let outcome = try await onEverySeed(0..<100) { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "10"])
            let breaker = CircuitBreaker()
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
                RateLimitInterceptor(policy: .onePartition)
            }
            let gate = server.hold()
            let storm = (0..<50).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            try await gate.waitForArrivals(50)
            gate.open()
            for call in storm { _ = try await call.value }
            let error = await failure(of: LimitError.self) {
                try await client.send(.get(orders), timeout: .seconds(5))
            }
            let state = breaker.status(of: "https://api.example.com").state
            return (state, error?.retryAfter, server.sends)
        }

        expectEqual(outcome.0, .closed)
        expectEqual(outcome.1, .seconds(10))
        expectEqual(outcome.2, 50)
    }

    @Test("lets nobody wait for what a server asked of somebody else")
    func partitions() throws {
        let times = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                request.url.path == "/a"
                    ? HTTP.Response(429, headers: ["Retry-After": "30"]) : HTTP.Response(200)
            }
            let client = try simulation.client(transport) { RateLimitInterceptor() }
            func time(_ path: String, _ partition: String?) async throws -> Duration {
                let began = simulation.now
                let url: HTTP.URL = "https://api.example.com/\(raw: path)"
                _ = try await client.send(.get(url)) { $0.limitPartition = partition }
                return began.duration(to: simulation.now)
            }
            return [
                try await time("a", nil), try await time("b", nil), try await time("a", "a"),
                try await time("b", "b"), try await time("a", "a"),
            ]
        }

        expectEqual(times, [.zero, .zero, .zero, .zero, .seconds(30)])
    }
}

extension RateLimitPolicy {
    fileprivate static var onePartition: RateLimitPolicy {
        var policy = RateLimitPolicy.asAdvised
        policy.isOnePartition = true
        return policy
    }
}
