import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// What a library makes that knows no more of its input than that it is ``Interceptable``.
private enum Generic {
    static func pipeline<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        try .standard(transport: transport)
    }

    static func settings<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        try .standard(StandardSettings(), transport: transport)
    }

    static func retry<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        try Pipeline(transport: transport) { RetryInterceptor<I>() }
    }

    static func preset<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        try Pipeline(transport: transport) { RetryInterceptor<I>(policy: .conservative) }
    }

    static func policy<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        try Pipeline(transport: transport) { RetryInterceptor<I>(policy: RetryPolicy()) }
    }

    static func hedge<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
        var policy = HedgePolicy<I>.standard
        policy.delay = .fixed(.milliseconds(1))
        return try Pipeline(transport: transport) { HedgeInterceptor(policy: policy) }
    }

    static func fallback<I: Interceptable>(
        _ transport: some Transport<I>,
        _ output: I.Output
    ) throws -> Pipeline<I> {
        try Pipeline(transport: transport) { FallbackInterceptor<I> { _, _ in output } }
    }

    static func breaker<I: Interceptable>(
        _ transport: some Transport<I>,
        _ breaker: CircuitBreaker
    ) throws -> Pipeline<I> {
        try Pipeline(transport: transport) { CircuitBreakerInterceptor<I>(breaker) }
    }

    static func limits<I: Interceptable>(
        _ transport: some Transport<I>
    ) throws -> Pipeline<I> {
        var policy = RateLimitPolicy(calls: 100)
        policy.isOnePartition = true
        return try Pipeline(transport: transport) {
            RateLimitInterceptor<I>(policy: policy)
            AdaptiveConcurrencyLimitInterceptor<I>()
        }
    }

    static func classify<I: Interceptable>(
        _ outcome: Outcome<I>
    ) async -> [Classification.Kind] {
        let all: [OutcomeClassifier<I>] = [.standard, .inherited, .health]
        var kinds: [Classification.Kind] = []
        for classifier in all { kinds.append(await classifier.classify(outcome).kind) }
        return kinds
    }
}

@Suite("In generic code, the rules of HTTP")
struct InputDefaultsTests {
    typealias Making = @Sendable (ScriptedTransport<HTTP.Request>) throws -> Pipeline<HTTP.Request>

    static let retries: [(String, Making)] = [
        ("Pipeline.standard", { try Generic.pipeline($0) }),
        ("StandardSettings", { try Generic.settings($0) }),
        ("RetryInterceptor", { try Generic.retry($0) }),
        ("RetryPolicy.conservative", { try Generic.preset($0) }),
        ("RetryPolicy", { try Generic.policy($0) }),
    ]

    @Test("decide what is sent again", arguments: retries)
    func retried(_ name: String, _ make: @escaping Making) throws {
        let busy = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
        let lost = ScriptedTransport<HTTP.Request> { _, _ in
            throw TransportError(.connectionLost, "lost")
        }
        try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            try await expectEqual(make(busy).run(.get(orders), call: call).status, 200)
            _ = try? await make(lost).run(.post(orders, body: "x"), call: call)
        }

        expectEqual([busy.sent.count, lost.sent.count], [2, 1])
    }

    @Test("decide what is hedged")
    func hedged() throws {
        let slow = ScriptedTransport<HTTP.Request> { _, call in
            try await call.runtime.sleep(for: .seconds(1))
            return HTTP.Response(200)
        }
        let sends = try Simulation.run { simulation in
            let pipeline = try Generic.hedge(slow)
            let call = Call(runtime: simulation.runtime)
            _ = try await pipeline.run(.get(orders), call: call)
            let gets = slow.sent.count
            _ = try await pipeline.run(.post(orders, body: "x"), call: call)
            return [gets, slow.sent.count - gets]
        }

        expectEqual(sends, [2, 1])
    }

    @Test("classify outcomes, and the health of a server")
    func classification() async {
        for (status, kind): (HTTP.Status, Classification.Kind) in [
            (429, .throttled), (501, .permanent), (503, .transient),
        ] {
            let answered = Result<HTTP.Response, any Error>.success(HTTP.Response(status))
            let outcome = Outcome<HTTP.Request>(input: .get(orders), result: answered, call: Call())
            await expectEqual(Generic.classify(outcome), [kind, kind, kind])
        }
    }

    @Test("tell a fallback and a breaker what a failure is")
    func failures() throws {
        let failing = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
        let breaker = CircuitBreaker()
        try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            let answered = try Generic.fallback(failing, HTTP.Response(200))
            try await expectEqual(answered.run(.get(orders), call: call).status, 200)
            let broken = try Generic.breaker(failing, breaker)
            for _ in 0..<100 { _ = try? await broken.run(.get(orders), call: call) }
        }

        expectTrue(failing.sent.count < 100)
    }

    @Test("tell limits what a server says about them")
    func limits() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(429, headers: ["Retry-After": "7"]), .status(200),
        ])
        try Simulation.run { simulation in
            let pipeline = try Generic.limits(transport)
            let call = Call(runtime: simulation.runtime)
            let began = simulation.now
            for _ in 0..<2 { _ = try await pipeline.run(.get(orders), call: call) }
            expectTrue(began.duration(to: simulation.now) >= .seconds(7))
        }
    }
}
