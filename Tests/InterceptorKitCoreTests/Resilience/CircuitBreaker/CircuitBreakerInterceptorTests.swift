import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CircuitBreakerInterceptor")
struct CircuitBreakerInterceptorTests {
    @Test("rejects calls once open, sends nothing, and says when to retry")
    func open() async throws {
        try await onEverySeed { simulation in
            let breaker = CircuitBreaker.steady()
            let server = Server(answering: 503)
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker)
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            try await simulation.runtime.sleep(for: .seconds(2))

            let error = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders))
            }

            try requireEqual(server.sends, 20)
            try requireEqual(error?.code, .open)
            try requireEqual(error?.authority, ordersOrigin)
            try requireEqual(error?.retryAfter, .seconds(3))
            try requireEqual(
                error?.message,
                "The circuit breaker for https://api.example.com is open: 20 of 20 calls failed, "
                    + "the last by 503 Service Unavailable. Nothing was sent; try again in 3 s."
            )
        }
    }

    @Test("counts transport failures, also before anything was sent")
    func transportFailures() async throws {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let refused = TransportError(.cannotConnect, "Refused.", isUnsent: true)
        let late = TimeoutError(.attempt, limit: .seconds(1))
        let closed = TransportError(.closed, "The transport was closed.")

        try await expectEqual(state(after: 20, throws: lost), .open)
        try await expectEqual(state(after: 20, throws: refused), .open)
        try await expectEqual(state(after: 20, throws: late), .open)
        try await expectEqual(state(after: 100, throws: closed), .closed)
        try await expectEqual(state(after: 100, throws: Problem()), .closed)
        try await expectEqual(state(after: 100, throws: CancellationError()), .closed)
    }

    @Test("counts a response that is no failure of the server as a success", arguments: [404, 429])
    func answers(status: Int) async throws {
        let count = Lock(0)
        let breaker = CircuitBreaker.steady()
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTP.Response(number % 8 == 0 ? 500 : HTTP.Status(status))
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            CircuitBreakerInterceptor(breaker)
        }

        for _ in 0..<400 { _ = try await client.send(.get(orders)) }

        expectEqual(transport.sent.count, 400)
        expectEqual(breaker.status(of: ordersOrigin).state, .closed)
    }

    @Test("counts any error of a custom input, except cancellation and rejection")
    func otherInputs() async throws {
        let state = try await onEverySeed(0..<10) { simulation in
            let breaker = CircuitBreaker.steady()
            let errors = Lock<[any Error]>([])
            let pipeline = try Pipeline(
                transport: Echo<Int> { _, _ in
                    throw errors.withLock { $0.removeLast() }
                },
                runtime: simulation.runtime
            ) {
                CircuitBreakerInterceptor(breaker)
            }
            let ignored = [CancellationError(), LocalRejection()] as [any Error]
            errors.withLock { $0 = Array(repeating: Problem() as any Error, count: 20) + ignored }
            for _ in 0..<21 { _ = try? await pipeline.run(1) }
            let before = breaker.status(runtime: simulation.runtime)
            _ = try? await pipeline.run(1)
            return (before.state, before.failures, breaker.status().state)
        }

        expectTrue(state.0 == .closed && state.1 == 19)
        expectEqual(state.2, .open)
    }

    @Test("counts success by a custom classifier, and closes by it")
    func ownClassifier() async throws {
        let states = try await onEverySeed(0..<10) { simulation in
            let breaker = CircuitBreaker.steady()
            let server = Server(answering: 503)
            let isWell = Lock(false)
            let classifier = OutcomeClassifier<HTTP.Request> { _ in
                isWell.withLock { $0 } ? .success : .transient("judged")
            }
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(breaker, classifier: classifier)
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            let opened = breaker.status(of: ordersOrigin).state
            isWell.withLock { $0 = true }
            try await simulation.runtime.sleep(for: .seconds(5))
            for _ in 0..<5 { _ = try? await client.send(.get(orders)) }
            return [opened, breaker.status(of: ordersOrigin).state]
        }

        expectEqual(states, [.open, .closed])
    }

    @Test("honours the Retry-After of a failing server")
    func retryAfter() async throws {
        let wait = try await onEverySeed(0..<10) { simulation in
            let server = Server(answering: 503, headers: ["Retry-After": "42"])
            let client = try simulation.client(server.transport) {
                CircuitBreakerInterceptor(CircuitBreaker.steady())
            }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            let error = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders))
            }
            return error?.retryAfter
        }

        expectEqual(wait, .seconds(42))
    }

    @Test("stops a retry while open, unless the break ends before the deadline")
    func retries() async throws {
        let (hopeless, patient) = try await onEverySeed(0..<100) { simulation in
            let server = Server(answering: 503)
            let breaker = CircuitBreaker.steady()
            let client = try simulation.client(server.transport) {
                RetryInterceptor(policy: .steady)
                CircuitBreakerInterceptor(breaker)
            }
            while breaker.status(of: ordersOrigin).state != .open {
                _ = try? await client.send(.get(orders)) { $0.retryLimit = 1 }
            }
            server.answer(200)
            let sends = server.sends
            let hopeless = await failure(of: CircuitBreakerError.self) {
                try await client.send(.get(orders), timeout: .seconds(4))
            }
            let time = simulation.now.offset
            guard server.sends == sends else { throw Problem(text: "sent while open") }
            let patient = try await client.send(.get(orders), timeout: .seconds(30))
            return ("\(hopeless?.code.description ?? "-") \(time)", patient.status)
        }

        expectEqual(hopeless, "open 0.0 seconds")
        expectEqual(patient, 200)
    }

    @Test("counts slow responses if configured")
    func slowCalls() async throws {
        let state = try await onEverySeed(0..<10) { simulation in
            var policy = CircuitBreakerPolicy()
            policy.slowCallDuration = .seconds(1)
            let breaker = CircuitBreaker(policy: policy)
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response(200)
            }
            let client = try simulation.client(transport) { CircuitBreakerInterceptor(breaker) }
            for _ in 0..<20 { _ = try await client.send(.get(orders)) }
            let status = breaker.status(of: ordersOrigin, runtime: simulation.runtime)
            return (status.state, status.slowCalls)
        }

        expectEqual(state.0, .open)
        expectEqual(state.1, 20)
    }

    private func state(
        after calls: Int,
        throws error: any Error
    ) async throws -> CircuitBreaker.State {
        try await onEverySeed(0..<5) { simulation in
            let breaker = CircuitBreaker.steady()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in throw error }
            let client = try simulation.client(transport) { CircuitBreakerInterceptor(breaker) }
            for _ in 0..<calls { _ = try? await client.send(.get(orders)) }
            return breaker.status(of: ordersOrigin, runtime: simulation.runtime).state
        }
    }
}

private struct LocalRejection: ClassifiedError {
    var classification: Classification { Classification(.rejected, reason: "a limit") }
}
