import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("CircuitBreaker")
struct CircuitBreakerTests {
    @Test("rejects all calls to an isolated authority until it is reset")
    func isolation() async throws {
        let outcomes = try await onEverySeed(0..<10) { simulation in
            let breaker = CircuitBreaker()
            let server = Server(answering: 200)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            try breaker.isolate("https://api.example.com")
            try await simulation.runtime.sleep(for: .seconds(1000))
            let error = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders))
            }
            let other = try await client.send(.get("https://other.example/")).status
            let state = breaker.status(of: "https://api.example.com").state
            try breaker.reset("https://api.example.com")
            let status = try await client.send(.get(orders)).status
            let text = "\(error?.code.description ?? "-") \(error?.message ?? "")"
            return (text, other, state, status)
        }

        expectEqual(
            outcomes.0,
            "isolated The circuit breaker for https://api.example.com was isolated by hand. "
                + "Nothing was sent, and nothing will be until it is reset."
        )
        expectEqual(outcomes.1, 200)
        expectEqual(outcomes.2, .isolated)
        expectEqual(outcomes.3, 200)
    }

    @Test("isolates an authority for a time, which a retry can wait for")
    func isolationForATime() async throws {
        let outcome = try await onEverySeed(0..<10) { simulation in
            let runtime = simulation.runtime
            let breaker = CircuitBreaker()
            let server = Server(answering: 200)
            let client = try simulation.client(server.transport) {
                RetryInterceptor(policy: .steady)
                CircuitBreakerInterceptor(breaker)
            }
            breaker.isolate(ordersOrigin, for: .seconds(1000), runtime: runtime)
            let error = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders))
            }
            let status = breaker.status(of: ordersOrigin, runtime: runtime)
            try await runtime.sleep(for: .seconds(970))
            _ = try await client.send(.get(orders))
            let time = runtime.now.offset
            let isInTime = time >= .seconds(1000) && time <= .seconds(1001)
            _ = try await client.send(.get(orders))
            let end = breaker.status(of: ordersOrigin).state
            return (error?.message, status.retryAfter, [status.state, end], isInTime)
        }

        expectEqual(
            outcome.0,
            "The circuit breaker for https://api.example.com was isolated by hand. "
                + "Nothing was sent, and nothing will be for another 1000 s."
        )
        expectEqual(outcome.1, .seconds(1000))
        expectEqual(outcome.2, [.isolated, .closed])
        expectTrue(outcome.3)
    }

    @Test(
        "stays usable after an isolation for any time",
        arguments: [.zero, .seconds(-1), .seconds(Int64.max), Duration(attoseconds: .max)]
    )
    func isolationForAnyTime(time: Duration) throws {
        let state = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let breaker = CircuitBreaker()
            let client = try simulation.client(Server(answering: 200).transport) {
                CircuitBreakerInterceptor(breaker)
            }
            breaker.isolate(ordersOrigin, for: time, runtime: runtime)
            _ = try? await client.send(.get(orders))
            return breaker.status(of: ordersOrigin, runtime: runtime).state
        }

        expectEqual(state, time > .zero ? .isolated : .halfOpen)
    }

    @Test("forgets the authorities whose isolation has ended")
    func endedIsolations() throws {
        let count = try Simulation.run { simulation in
            let breaker = CircuitBreaker()
            for number in 0..<500 {
                breaker.isolate("\(number)", for: .seconds(1), runtime: simulation.runtime)
                try await simulation.runtime.sleep(for: .seconds(1))
            }
            return breaker.authorities.count
        }

        expectTrue(count <= 65)
    }

    @Test("rejects calls to every authority in isolated mode, and counts none")
    func isolatedMode() async throws {
        let outcome = try await onEverySeed(0..<5) { simulation in
            let breaker = CircuitBreaker(mode: .isolated)
            let server = Server(answering: 200)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            var codes: [CircuitBreakerError.Code?] = []
            for url: HTTP.URL in [orders, "https://other.example/"] {
                let error = await failure(of: CircuitBreakerError.self) {
                    try await client.send(.get(url))
                }
                codes.append(error?.code)
                breaker.reset(ordersOrigin)
                expectEqual(
                    error?.message.contains("nothing will be until the breaker's mode changes."),
                    true
                )
            }
            let calls = breaker.status(of: ordersOrigin, runtime: simulation.runtime).calls
            breaker.mode = .automatic
            let status = try await client.send(.get(orders)).status
            return (codes, calls, status, server.sends)
        }

        expectEqual(outcome.0, [.isolated, .isolated])
        expectEqual(outcome.1, 0)
        expectEqual(outcome.2, 200)
        expectEqual(outcome.3, 1)
    }

    /// The arguments of Polly's `BreakDurationGenerator`, and of resilience4j's `waitIntervalFunctionInOpenState`.
    @Test("breaks for as long as a function of the counts and breaks says")
    func breakDuration() async throws {
        let outcome = try await onEverySeed(0..<10) { simulation in
            let runtime = simulation.runtime
            let asked = Recorder<String>()
            var policy = CircuitBreakerPolicy()
            policy.jitter = 0
            policy.successesToClose = 1
            policy.maxBreakDuration = .seconds(3600)
            let breaker = CircuitBreaker(policy: policy) { status, number in
                asked.note("\(status.failures) of \(status.calls), \(number), \(status.state)")
                return .seconds(10 * number)
            }
            let stream = breaker.changes
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            func wait() -> Duration? {
                breaker.status(of: ordersOrigin, runtime: runtime).retryAfter
            }
            var waits: [Duration?] = []
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            for _ in 0..<3 {
                waits.append(wait())
                try await runtime.sleep(for: wait() ?? .zero)
                _ = try await client.send(.get(orders))
            }
            try await runtime.sleep(for: wait() ?? .zero)
            server.answer(200)
            _ = try await client.send(.get(orders))
            server.answer(503)
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            waits.append(wait())
            var lengths: [Duration?] = []
            for await change in stream.prefix(10) where change.to == .open {
                lengths.append(change.breakDuration)
            }
            return (waits, asked.entries, lengths)
        }

        expectEqual(outcome.0, [10, 20, 30, 10].map { .seconds($0) })
        expectEqual(
            outcome.1,
            [
                "20 of 20, 1, open", "20 of 20, 2, open", "0 of 0, 3, open", "0 of 0, 4, open",
                "20 of 20, 1, open",
            ]
        )
        expectEqual(outcome.2, [10, 20, 30, 40, 10].map { .seconds($0) })
    }

    @Test(
        "limits a break of a function to the policy and to what the server asks",
        arguments: [
            (Duration.seconds(42 * 60), 3600, nil, 2520.0), (.seconds(42 * 60), 60, nil, 60),
            (Duration(attoseconds: .max), 60, nil, 60), (.seconds(-1), 60, nil, 0),
            (.zero, 60, "7", 7),
            (.seconds(9), 60, "7", 9),
        ]
    )
    func breakDurations(given: Duration, longest: Int, retryAfter: String?, expected: Double)
        throws
    {
        let (wait, sends) = try Simulation.run { simulation in
            var policy = CircuitBreakerPolicy()
            policy.jitter = 0
            policy.maxBreakDuration = .seconds(longest)
            let breaker = CircuitBreaker(policy: policy) { _, _ in given }
            let server = Server(
                answering: 503,
                headers: retryAfter.map { ["Retry-After": $0] } ?? [:]
            )
            let gate = Gate("probe")
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
                AnyInterceptor { chain in
                    if breaker.status(of: ordersOrigin).state == .halfOpen { try await gate.pass() }
                    return try await chain.proceed()
                }
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            let wait = breaker.status(of: ordersOrigin, runtime: simulation.runtime).retryAfter
            try await simulation.runtime.sleep(for: wait ?? .zero)
            let calls = (0..<9).map { _ in
                Task.child(in: simulation) { try await client.send(.get(orders)) }
            }
            try await gate.waitForArrivals(1)
            try await simulation.runtime.sleep(for: .milliseconds(1))
            gate.open()
            for call in calls { _ = await call.result }
            return (wait, server.sends)
        }

        expectEqual(wait ?? .zero, .seconds(expected))
        // One probe, however short the break is.
        expectEqual(sends, 21)
    }

    @Test("remembers an isolated authority among any number of others")
    func isolatedAmongMany() async throws {
        let state = try await onEverySeed(0..<2) { simulation in
            let breaker = CircuitBreaker()
            let client = try simulation.client(Server(answering: 200).transport) {
                CircuitBreakerInterceptor(breaker)
            }
            try breaker.isolate("https://api.example.com")
            for number in 0..<200 {
                _ = try await client.send(.get(HTTP.URL("https://host\(number).example/")))
            }
            return (breaker.status(of: "https://api.example.com").state, breaker.authorities.count)
        }

        expectEqual(state.0, .isolated)
        expectEqual(state.1, 64)
    }

    @Test("only counts in metricsOnly mode, and does nothing when disabled")
    func modes() async throws {
        let counts = try await onEverySeed(0..<5) { simulation in
            let breaker = CircuitBreaker(mode: .metricsOnly)
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            for _ in 0..<30 { _ = try await client.send(.get(orders)) }
            let watched = breaker.status(of: ordersOrigin, runtime: simulation.runtime)
            breaker.mode = .disabled
            for _ in 0..<30 { _ = try await client.send(.get(orders)) }
            let unwatched = breaker.status(of: ordersOrigin, runtime: simulation.runtime)
            breaker.mode = .automatic
            _ = try await client.send(.get(orders))
            let state = breaker.status(of: ordersOrigin).state
            breaker.mode = .metricsOnly
            _ = try await client.send(.get(orders))
            return [
                "\(watched.state) \(watched.failures)", "\(unwatched.state) \(unwatched.failures)",
                "\(state)", "\(server.sends)",
            ]
        }

        expectEqual(counts, ["closed 30", "closed 30", "open", "62"])
    }

    @Test("always admits a probe within a break, whatever its callers do")
    func storm() async throws {
        try await onEverySeed(0..<(2 * seedCount)) { simulation in
            let runtime = simulation.runtime
            let breaker = CircuitBreaker()
            let isWell = Lock(false)
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .milliseconds(Int64(runtime.random() % 3000)))
                let isFine = isWell.withLock { $0 } || runtime.randomFraction() < 0.2
                return HTTP.Response(isFine ? 200 : 503)
            }
            let client = try simulation.client(transport) { CircuitBreakerInterceptor(breaker) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    let delay = Duration.milliseconds(Int64(runtime.random() % 20_000))
                    let patience = Duration.milliseconds(Int64(runtime.random() % 4000))
                    group.addTask {
                        try? await runtime.sleep(for: delay)
                        let call = Task.child(in: simulation) {
                            try await client.send(.get(orders))
                        }
                        try? await runtime.sleep(for: patience)
                        call.cancel()
                        _ = await call.result
                    }
                }
            }

            isWell.withLock { $0 = true }
            let wait = breaker.status(of: ordersOrigin, runtime: runtime).retryAfter ?? .zero
            try require(wait <= .seconds(60))
            try await runtime.sleep(for: wait)
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }

            try requireEqual(breaker.status(of: ordersOrigin, runtime: runtime).state, .closed)
        }
    }
}
