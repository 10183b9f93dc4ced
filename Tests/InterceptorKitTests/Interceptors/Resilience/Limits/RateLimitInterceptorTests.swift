import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("RateLimitInterceptor")
struct RateLimitInterceptorTests {
    @Test("starts calls at the rate after a burst, in order of arrival")
    func rate() async throws {
        let times = try await onEverySeed { simulation in
            let pipeline = try simulation.paced(RateLimiter(policy: RateLimitPolicy(calls: 2)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<5 { group.addTask { _ = try await pipeline.run(number) } }
                try await group.waitForAll()
            }
            return simulation.trace.map { $0.prefix { $0 != "s" } }
        }

        #expect(times == ["0 ", "0 ", "0.5 ", "1 ", "1.5 "])
    }

    @Test("rejects a call at once if its turn would come after its deadline")
    func deadline() async throws {
        try await onEverySeed(0..<200) { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(policy: RateLimitPolicy(calls: 2))
            let pipeline = try simulation.paced(limiter)
            for number in 0..<2 { _ = try await pipeline.run(number) }
            let waiting = Task.child(in: simulation) { try await pipeline.run(2) }
            while limiter.waiting() == 0 { await simulation.yield() }

            let error = await failure(of: LimitError.self) {
                try await pipeline.run(
                    3,
                    call: Call(runtime: runtime).deadline(within: .milliseconds(900))
                )
            }
            guard runtime.now.offset == .zero else { throw Problem(text: "it waited") }

            _ = try await waiting.value
            try #require(error?.code == .rate)
            try #require(error?.retryAfter == .seconds(1))
            try #require(error?.classification.isUnsent == true)
            try #require(
                error?.message
                    == "The next call may begin in 1 s, after this one's deadline. Nothing was sent."
            )
        }
    }

    @Test("moves the calls behind a cancelled one up")
    func cancelledWaiter() async throws {
        let trace = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(policy: RateLimitPolicy(calls: 1, per: .seconds(10)))
            let pipeline = try simulation.paced(limiter)
            let calls = (0..<4).map { number in
                Task.child(in: simulation) {
                    try await runtime.sleep(for: .seconds(number))
                    return try await pipeline.run(number)
                }
            }
            try await runtime.sleep(for: .seconds(5))
            calls[1].cancel()
            guard await calls[1].result.isCancelled, runtime.now.offset == .seconds(5) else {
                throw Problem()
            }
            for number in [0, 2, 3] { _ = try await calls[number].value }
            return simulation.trace
        }

        #expect(trace == ["0 s 0", "10 s 2", "20 s 3"])
    }

    @Test("waits as long as the server asks, and then starts")
    func pause() async throws {
        let (times, waits) = try await onEverySeed(0..<200) { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "7"])
            let client = try simulation.client(server.transport) { RateLimitInterceptor() }
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

        #expect(times == [.seconds(7), .seconds(12)])
        #expect(waits == 200)
    }

    @Test("rejects waiting calls at once whose deadline ends before a pause")
    func pauseForWaiting() async throws {
        let outcome = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(policy: RateLimitPolicy(calls: 1, per: .seconds(2)))
            let gate = Gate("answer")
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                try await gate.pass()
                return HTTP.Response(503, headers: ["Retry-After": "30"])
            }
            let client = try simulation.client(transport) { RateLimitInterceptor(limiter) }
            let first = Task.child(in: simulation) { try await client.send(.get(orders)) }
            try await gate.waitForArrivals(1)
            let hasty = Task.child(in: simulation) {
                try await client.send(.get(orders), timeout: .seconds(20))
            }
            let patient = Task.child(in: simulation) {
                try await client.send(.get(orders), timeout: .seconds(100))
            }
            try await runtime.sleep(for: .seconds(1))
            guard limiter.waiting("https://api.example.com") == 2 else { throw Problem() }

            gate.open()
            _ = try await first.value
            let error = await failure(of: LimitError.self) { try await hasty.value }
            let refused = runtime.now.offset
            _ = try await patient.value
            return ("\(error?.code.description ?? "-")", refused, runtime.now.offset)
        }

        #expect(outcome.0 == "rate")
        #expect(outcome.1 == .seconds(1))
        #expect(outcome.2 == .seconds(31))
    }

    @Test("reports what it learned of the rate, and of which authority")
    func learnt() throws {
        let sink = RecordingEventSink()
        try Simulation.run { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "7"])
            let client = try simulation.client(server.transport, events: sink) {
                RateLimitInterceptor()
            }
            _ = try await client.send(.get(orders))
            server.answer(200, headers: ["RateLimit": #""x";r=3;t=5"#])
            _ = try await client.send(.get(orders))
        }

        let learnt = sink.events.filter { $0.name == .rateLearned }.map(\.attributes)
        let authority: Event.Value = .text("https://api.example.com")
        #expect(
            learnt == [
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
                RateLimitInterceptor(RateLimiter())
            }
            _ = try? await pipeline.run(1)
            fails.withLock { $0 = false }
            _ = try await pipeline.run(1)
            return simulation.now.offset
        }

        #expect(time == .seconds(3))
    }

    @Test("opens no circuit breaker on many 429s, and delays the next call")
    func throttled() async throws {
        let outcome = try await onEverySeed(0..<100) { simulation in
            let server = Server(answering: 429, headers: ["Retry-After": "10"])
            let breaker = CircuitBreaker()
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
                RateLimitInterceptor()
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

        #expect(outcome.0 == .closed)
        #expect(outcome.1 == .seconds(10))
        #expect(outcome.2 == 50)
    }

    @Test("limits its queue")
    func queueLimit() async throws {
        let code = try await onEverySeed(0..<20) { simulation in
            var policy = RateLimitPolicy(calls: 1)
            policy.queueLimit = 1
            let limiter = RateLimiter(policy: policy)
            let pipeline = try simulation.paced(limiter)
            _ = try await pipeline.run(0)
            let waiting = Task.child(in: simulation) { try await pipeline.run(1) }
            while limiter.waiting() == 0 { await simulation.yield() }
            let error = await failure(of: LimitError.self) { try await pipeline.run(2) }
            _ = try await waiting.value
            return error?.code
        }

        #expect(code == .tooManyCalls)
    }

    @Test("starts no call too early and leaves none waiting, despite cancels")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let limiter = RateLimiter(
                policy: RateLimitPolicy(calls: 10, per: .seconds(1), burst: 3)
            )
            let begun = Recorder<Double>()
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, call in
                    begun.note(call.runtime.now.offset.inSeconds)
                    if input % 10 == 0 { throw Throttled(wait: .milliseconds(300)) }
                    return input
                },
                runtime: runtime
            ) {
                RateLimitInterceptor(limiter)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    let draws = (0..<4).map { _ in Int(runtime.random() % 1000) }
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(draws[0]))
                        let call = Task.child(in: simulation) {
                            let limit = Duration.milliseconds(draws[3] * 3)
                            return try await pipeline.run(
                                draws[1],
                                call: Call(runtime: runtime).deadline(within: limit)
                            )
                        }
                        try? await runtime.sleep(for: .milliseconds(draws[2] * 2))
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            try #require(limiter.waiting() == 0)
            let times = begun.entries
            for (first, start) in times.enumerated() {
                for (last, end) in times.enumerated().dropFirst(first) {
                    try #require(Double(last - first + 1) <= 3.001 + (end - start) * 10)
                }
            }
        }
    }

    @Test("has the documented defaults")
    func defaults() {
        let policy = RateLimitPolicy(calls: 5)

        #expect(policy.period == .seconds(1))
        #expect(policy.burst == 5)
        #expect(policy.maxPause == .seconds(60))
        #expect(policy.queueLimit == 1000)
        #expect(policy.authorityLimit == 64)
        #expect(RateLimiter().policy.calls == nil)
    }

    @Test(
        "refuses invalid numbers",
        arguments: [
            Refusal({ $0.calls = 0 }, "calls is 0 and has to be at least 1."),
            Refusal({ $0.calls = -2 }, "calls is -2"),
            Refusal({ $0.period = .zero }, "period is 0 s"),
            Refusal({ $0.period = .seconds(-1) }, "period is -1 s"),
            Refusal({ $0.period = .seconds(1e17) }, "at most a century."),
            Refusal({ $0.burst = 0 }, "burst is 0"),
            Refusal({ $0.burst = .max }, "burst is 9223372036854775807 and has to be from 1 to"),
            Refusal({ $0.queueLimit = -1 }, "queueLimit is -1 and has to be at least 0."),
            Refusal({ $0.maxPause = .seconds(-1) }, "maxPause is -1 s"),
            Refusal({ $0.authorityLimit = 0 }, "authorityLimit is 0"),
        ] as [Refusal<RateLimitPolicy>]
    )
    func refusals(refusal: Refusal<RateLimitPolicy>) {
        var policy = RateLimitPolicy(calls: 1)
        refusal.change(&policy)

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { [policy] in
                RateLimitInterceptor(policy: policy)
            }
        }

        #expect(error?.message.contains(refusal.text) == true)
    }
}

private struct Throttled: ClassifiedError {
    var wait = Duration.seconds(3)

    var classification: Classification {
        Classification(.throttled, reason: "slow down", retryAfter: wait)
    }
}

extension Simulation {
    /// A pipeline that records each call as it begins.
    fileprivate func paced(_ limiter: RateLimiter) throws -> Pipeline<Int> {
        try Pipeline(
            transport: Echo<Int> { [self] input, _ in
                record("\(input)")
                return input
            },
            runtime: runtime
        ) {
            RateLimitInterceptor(limiter)
        }
    }
}
