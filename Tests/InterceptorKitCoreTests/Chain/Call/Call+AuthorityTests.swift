import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("Call.authority")
struct CallAuthorityTests {
    private static let origin = "https://api.example.com"
    private static let first = "https://api.example.com at 10.0.0.1:443"
    private static let second = "https://api.example.com at 10.0.0.2:443"

    /// Sends a request through an interceptor as one that goes to a server.
    private func run(
        _ authority: String?,
        through interceptor: any Interceptor<HTTP.Request>,
        deadline: Duration? = nil,
        answering status: HTTP.Status = 200,
        during work: @escaping @Sendable () -> Void = {}
    ) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            work()
            return HTTP.Response(status)
        }
        let pipeline = try Pipeline(transport: transport) { AnyInterceptor(interceptor) }
        var call = Call()
        if let deadline { call = call.withDeadline(within: deadline) }
        call.authority = authority
        _ = try await pipeline.run(.get("https://api.example.com/orders"), call: call)
    }

    @Test("is read in place of the input's own, which stands where it is not set")
    func reader() async throws {
        let seen = Lock<[String?]>([])
        let reading = AnyInterceptor<HTTP.Request> { chain in
            seen.withLock { $0.append(chain.authority) }
            return try await chain.proceed()
        }

        try await run(nil, through: reading)
        try await run(Self.first, through: reading)

        expectEqual(Call().authority, nil)
        expectEqual(seen.withLock(\.self), [Self.origin, Self.first])
    }

    @Test("has its own circuit")
    func breaker() async throws {
        let breaker = CircuitBreaker()
        let interceptor = CircuitBreakerInterceptor<HTTP.Request>(breaker)

        for _ in 0..<20 { try await run(Self.first, through: interceptor, answering: 503) }
        let error = await failure(of: CircuitBreakerError.self) {
            try await run(Self.first, through: interceptor)
        }
        try await run(Self.second, through: interceptor)
        try await run(nil, through: interceptor)

        expectEqual(error?.authority, Self.first)
        expectEqual(Set(breaker.authorities), [Self.first, Self.second, Self.origin])
    }

    @Test("has its own rate")
    func rateLimit() async throws {
        let policy = RateLimitPolicy(calls: 1, per: .seconds(60))
        let interceptor = RateLimitInterceptor<HTTP.Request>(policy: policy)

        try await run(Self.first, through: interceptor)
        let error = await failure(of: LimitError.self) {
            try await run(Self.first, through: interceptor, deadline: .seconds(1))
        }
        try await run(Self.second, through: interceptor, deadline: .seconds(1))

        expectEqual(error?.authority, Self.first)
    }

    @Test("has its own limit of attempts")
    func adaptiveLimit() async throws {
        let interceptor = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>()
        let inFlight = Lock<[Int]>([])

        try await run(Self.first, through: interceptor) {
            inFlight.withLock {
                $0 = [Self.first, Self.second, Self.origin].map(interceptor.inFlight)
            }
        }

        expectEqual(inFlight.withLock(\.self), [1, 0, 0])
    }
}
