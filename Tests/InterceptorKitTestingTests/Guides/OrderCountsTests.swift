import InterceptorKit
import InterceptorKitTesting
import Testing

/// The numbers in the guide's table of stages, counted: what one call to a failing service comes to, in the
/// standard order and in the other one.
@Suite struct OrderCountsTests {
    private typealias Interceptors = [any Interceptor<HTTP.Request>]
    private typealias Retry = RetryInterceptor<HTTP.Request>

    private static let meant = "the guide counts its outcomes"
    private let orders: HTTP.URL = "https://api.example.com/orders"

    @Test("all attempts share an idempotency key unless it is below the retry")
    func idempotencyKeys() throws {
        let above = try keys { [IdempotencyKeyInterceptor(), $0] }
        let below = try keys { [$0, IdempotencyKeyInterceptor().unordered(because: Self.meant)] }

        #expect(above.count == 4)
        #expect(Set(above).count == 1)
        #expect(below.count == 4)
        #expect(Set(below).count == 4)
    }

    private func keys(
        _ order: @escaping @Sendable (Retry) -> Interceptors
    ) throws -> [String?] {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
        try Simulation.run { simulation in
            let retry = Retry(policy: .standard)
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                order(retry)
            }
            _ = try await client.send(.post(orders)) { $0.isIdempotent = true }
        }
        return transport.sent.map { $0.input.headers["Idempotency-Key"] }
    }

    @Test("a breaker opens after 20 sends, or after 60 when it is above a retry")
    func breaker() throws {
        let below = try sendsUntilOpen { retry, breaker in [retry, breaker] }
        let above = try sendsUntilOpen { retry, breaker in
            [breaker.unordered(because: Self.meant), retry]
        }

        #expect(below == 20)
        #expect(above == 60)
    }

    private func sendsUntilOpen(
        _ order:
            @escaping @Sendable (Retry, CircuitBreakerInterceptor<HTTP.Request>) -> Interceptors
    ) throws -> Int {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
        try Simulation.run { simulation in
            var policy = RetryPolicy<HTTP.Request>.standard
            policy.maxAttempts = 3
            policy.budget = nil
            // A call that waits for the breaker to close would send once more.
            policy.maxRetryAfter = .zero
            let retry = RetryInterceptor(policy: policy)
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                order(retry, CircuitBreakerInterceptor<HTTP.Request>())
            }
            for _ in 0..<100 {
                do {
                    _ = try await client.send(.get(orders))
                } catch is CircuitBreakerError {
                    return
                }
            }
        }
        return transport.sent.count
    }

    @Test("a 30 s total timeout takes 30 s above a retry, and 87 s or more below")
    func totalTimeout() throws {
        let above = try duration { [TimeoutInterceptor(total: .seconds(30)), $0] }
        let below = try duration {
            [$0, TimeoutInterceptor(total: .seconds(30)).unordered(because: Self.meant)]
        }

        #expect(above == .seconds(30))
        #expect(below >= .seconds(87))
    }

    // A service that needs 29 s to say that it is busy.
    private func duration(
        _ order: @escaping @Sendable (Retry) -> Interceptors
    ) throws -> Duration {
        let transport = ScriptedTransport<HTTP.Request> { _, call in
            try await call.runtime.sleep(for: .seconds(29))
            return HTTP.Response(503)
        }
        return try Simulation.run { simulation in
            let retry = Retry(policy: .standard)
            let client = try HTTP.Client(
                transport: transport,
                timeout: nil,
                runtime: simulation.runtime
            ) {
                order(retry)
            }
            let start = simulation.now
            _ = try? await client.send(.get(orders))
            return start.duration(to: simulation.now)
        }
    }

    @Test("a rate limit delays each attempt unless it is above the retry")
    func rateLimit() throws {
        let below = try span { retry, limit in [retry, limit] }
        let above = try span { retry, limit in [limit.unordered(because: Self.meant), retry] }

        #expect(below >= .seconds(20))
        #expect(above < .seconds(1))
    }

    // From the first send of one call to its third, with a turn every ten seconds.
    private func span(
        _ order: @escaping @Sendable (Retry, RateLimitInterceptor<HTTP.Request>) -> Interceptors
    ) throws -> Duration {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
        try Simulation.run { simulation in
            let retry = Retry(policy: .standard)
            let policy = RateLimitPolicy(calls: 1, per: .seconds(10))
            let limit = RateLimitInterceptor<HTTP.Request>(policy: policy)
            let client = try HTTP.Client(
                transport: transport,
                timeout: nil,
                runtime: simulation.runtime
            ) {
                order(retry, limit)
            }
            _ = try await client.send(.get(orders))
        }
        let instants = transport.sent.map(\.instant)
        let first = try #require(instants.first)
        let last = try #require(instants.last)
        try #require(instants.count == 4)
        return first.duration(to: last)
    }
}
