import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("AdaptiveConcurrencyLimitInterceptor")
struct AdaptiveConcurrencyLimitInterceptorTests {
    @Test("rejects calls above the limit, for each authority")
    func limit() async throws {
        let outcome = try await onEverySeed(0..<50) { simulation in
            let server = Server(answering: 200)
            let gate = server.hold()
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
            let client = try simulation.client(server.transport) { limit }
            let calls = (0..<20).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            try await gate.waitForArrivals(20)
            let error = await failure(of: LimitError.self) { try await client.send(.get(orders)) }
            let other = Task.child(in: simulation) {
                try await client.send(.get("https://other.example/"))
            }
            try await gate.waitForArrivals(21)
            gate.open()
            for call in calls { _ = try await call.value }
            _ = try await other.value
            return (error?.code.description ?? "-", limit.underWay(origin), limit.limit(origin))
        }

        #expect(outcome.0 == "tooManyCalls")
        #expect(outcome.1 == 0)
        #expect(outcome.2 == 20)
    }

    @Test(
        "lowers its limit when the server slows down, and raises it again",
        arguments: [
            AdaptiveConcurrencyLimit.Algorithm.gradient,
            .additiveIncrease(slowerThan: .milliseconds(300)),
        ]
    )
    func following(algorithm: AdaptiveConcurrencyLimit.Algorithm) async throws {
        let limits = try await onEverySeed(0..<5) { simulation in
            let runtime = simulation.runtime
            let latency = Lock(Duration.milliseconds(100))
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: latency.withLock { $0 })
                return HTTP.Response(200)
            }
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(
                AdaptiveConcurrencyLimit(algorithm)
            )
            let client = try simulation.client(transport) { limit }
            @Sendable func run(for duration: Duration) async -> Int {
                let end = runtime.now.advanced(by: duration)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<60 {
                        group.addTask {
                            while runtime.now < end {
                                if (try? await client.send(.get(orders))) == nil {
                                    try? await runtime.sleep(for: .milliseconds(100))
                                }
                            }
                        }
                    }
                }
                return limit.limit(origin)
            }
            let well = await run(for: .seconds(15))
            latency.withLock { $0 = .milliseconds(500) }
            let slow = await run(for: .seconds(10))
            latency.withLock { $0 = .milliseconds(100) }
            let recovered = await run(for: .seconds(15))
            guard limit.underWay(origin) == 0 else { throw Problem(text: "a permit is lost") }
            return [well > 25, slow < well - 5, recovered > slow]
        }

        #expect(limits == [true, true, true])
    }

    @Test("has all its permits again after any cancellations and changes")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            var settings = AdaptiveConcurrencyLimit(.additiveIncrease())
            settings.initial = 3
            settings.queueLimit = 5
            settings.window = .milliseconds(20) ... .milliseconds(40)
            let limit = AdaptiveConcurrencyLimitInterceptor<Int>(settings)
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    try await call.runtime.sleep(for: .milliseconds(input % 50))
                    if input % 5 == 0 { throw Problem() }
                    return input
                },
                runtime: runtime
            ) {
                limit
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    let draws = (0..<3).map { _ in Int(runtime.random() % 100) }
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(draws[0]))
                        let call = Task.child(in: simulation) { try await pipeline.run(draws[1]) }
                        try? await runtime.sleep(for: .milliseconds(draws[2]))
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            try #require(limit.underWay() == 0)
            _ = try await pipeline.run(1)
        }
    }
}

private let origin = "https://api.example.com"
