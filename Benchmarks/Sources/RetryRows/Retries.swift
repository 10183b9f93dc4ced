import InterceptorKit
public import Measuring

/// A transport that answers at once, with the same each time or in turns.
private struct CannedTransport: Transport {
    var failsFirst = false

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(failsFirst && call.attempt == 1 ? 503 : 204)
    }
}

/// Looks at the clock, as anyone who measures a time must.
private struct Looking: Interceptor {
    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        guard chain.call.runtime.now.offset > .zero else { return HTTP.Response(500) }
        return try await chain.proceed()
    }
}

/// Pipelines that a request is sent through.
public enum Retries {
    private static func workload(
        _ name: String,
        _ interceptors: [any Interceptor<HTTP.Request>],
        failsFirst: Bool = false,
        deadline: Duration? = nil
    ) throws -> Workload {
        let pipeline = try Pipeline(
            interceptors,
            transport: CannedTransport(failsFirst: failsFirst)
        )
        let request = HTTP.Request.get("https://api.example.com/v1/orders/42?limit=10")
        var call = Call()
        if let deadline { call = call.withDeadline(within: deadline) }
        return Workload(name, answer: 204) { [call] count in
            var sum = 0
            for _ in 0..<count { sum += try await pipeline.run(request, call: call).status.code }
            return sum
        }
    }

    /// The first has no interceptor.
    public static func all() throws -> [Workload] {
        var unbounded = RetryPolicy<HTTP.Request>.standard
        unbounded.budget = nil
        unbounded.backoff.base = .zero
        var bounded = RetryPolicy<HTTP.Request>.standard
        bounded.backoff.base = .zero
        bounded.budget = Unlimited()
        return [
            try workload("no interceptor", []),
            try workload("a look at the clock", [Looking()]),
            try workload("retry without a budget", [RetryInterceptor(policy: unbounded)]),
            try workload("retry", [RetryInterceptor(policy: .standard)]),
            try workload(
                "retry, with a deadline",
                [RetryInterceptor(policy: .standard)],
                deadline: .seconds(86_400)
            ),
            try workload(
                "retry of a 503, without a wait",
                [RetryInterceptor(policy: bounded)],
                failsFirst: true
            ),
            try workload("hedge, answered before its delay", [HedgeInterceptor(policy: .standard)]),
        ]
    }
}

/// An allowance that is asked and allows all.
private struct Unlimited: RetryLimiter {
    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {}

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        true
    }
}
