import InterceptorKit
public import Measuring

/// A pipeline of one interceptor, or of none, over a transport that answers at once.
public enum Resilience {
    static let wide = RateLimitPolicy(calls: 1_000_000_000, burst: 1_000_000_000)

    /// What travels is a number, which goes nowhere. The first has no interceptor.
    public static func numbers() throws -> [Workload] {
        [
            try number("nothing", nil),
            try number("breaker", CircuitBreakerInterceptor()),
            try number("concurrency limit", ConcurrencyLimitInterceptor()),
            try number(
                "concurrency limit, each authority",
                ConcurrencyLimitInterceptor(policy: .perAuthority)
            ),
            try number("adaptive concurrency limit", AdaptiveConcurrencyLimitInterceptor()),
            try number("rate limit", RateLimitInterceptor(policy: wide)),
        ]
    }

    /// What travels is a request, and its authority is read. The first has no interceptor.
    public static func requests() throws -> [Workload] {
        [
            try request("nothing", nil),
            try request("breaker", CircuitBreakerInterceptor()),
            try request("concurrency limit", ConcurrencyLimitInterceptor()),
            try request(
                "concurrency limit, each authority",
                ConcurrencyLimitInterceptor(policy: .perAuthority)
            ),
            try request("adaptive concurrency limit", AdaptiveConcurrencyLimitInterceptor()),
            try request("rate limit", RateLimitInterceptor(policy: wide)),
        ]
    }

    private static func number(
        _ name: String,
        _ interceptor: (any Interceptor<Int>)?
    ) throws -> Workload {
        let pipeline = try Pipeline([interceptor].compactMap(\.self), transport: IntTransport())
        return Workload(name, answer: 1) { count in
            let call = Call()
            var sum = 0
            for _ in 0..<count { sum &+= try await pipeline.run(1, call: call) }
            return sum
        }
    }

    private static func request(
        _ name: String,
        _ interceptor: (any Interceptor<HTTP.Request>)?
    ) throws -> Workload {
        let pipeline = try Pipeline(
            [interceptor].compactMap(\.self),
            transport: RequestTransport()
        )
        let request = HTTP.Request.get("https://api.example.com/v1/orders/42?limit=10")
        return Workload(name, answer: 1) { count in
            let call = Call()
            var sum = 0
            for _ in 0..<count {
                sum &+= try await pipeline.run(request, call: call).status.code / 200
            }
            return sum
        }
    }
}

/// Answers with the number it is sent.
private struct IntTransport: Transport {
    func send(_ input: Int, call: Call) async throws -> Int { input }
}

/// Answers every request with 200.
struct RequestTransport: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(200)
    }
}
