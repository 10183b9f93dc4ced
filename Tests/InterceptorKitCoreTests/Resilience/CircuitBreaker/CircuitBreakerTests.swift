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
            breaker.isolate("https://api.example.com")
            try await simulation.runtime.sleep(for: .seconds(1000))
            let error = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders))
            }
            let other = try await client.send(.get("https://other.example/")).status
            let state = breaker.status(of: "https://api.example.com").state
            breaker.reset("https://api.example.com")
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

    @Test("remembers an isolated authority among any number of others")
    func isolatedAmongMany() async throws {
        let state = try await onEverySeed(0..<2) { simulation in
            let breaker = CircuitBreaker()
            let client = try simulation.client(Server(answering: 200).transport) {
                CircuitBreakerInterceptor(breaker)
            }
            breaker.isolate("https://api.example.com")
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
