import InterceptorKit
import InterceptorKitLoadBalancing
public import Measuring

private struct CannedTransport: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(204)
    }
}

/// Looks at the clock once or three times, of which the difference is two looks without the hop.
private struct Looking: Interceptor {
    let isThrice: Bool

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let runtime = chain.call.runtime
        let first = runtime.now
        if isThrice {
            let (second, third) = (runtime.now, runtime.now)
            guard first <= second, second <= third else { return HTTP.Response(500) }
        }
        return try await chain.proceed()
    }
}

/// What picking one of ten endpoints costs.
public enum Pick {
    /// The same request by way of a base URL and of a balancer, and looks at the clock, as anyone who
    /// measures a time must have.
    public static func workloads() throws -> [Workload] {
        let origins = Endpoints(count: 10)
        let base = BaseURLInterceptor("http://e1.example")
        return [
            workload("a base URL", try pipeline([base])),
            workload("…, a look at the clock", try pipeline([base, Looking(isThrice: false)])),
            workload("…, three looks", try pipeline([base, Looking(isThrice: true)])),
            workload(
                "one of ten endpoints",
                try origins.pipeline(LeastLatencyPolicy(), CannedTransport())
            ),
        ]
    }

    /// What remains of the last workload beyond the base URL and two looks at the clock.
    public static func cost(_ measurements: [Measurement]) -> (
        nanoseconds: Double, allocations: Double?
    ) {
        let (base, one, three, balanced) = (
            measurements[0], measurements[1], measurements[2], measurements[3]
        )
        let looks = max(0, three.nanoseconds - one.nanoseconds)
        let allocations = balanced.allocations.flatMap { all in base.allocations.map { all - $0 } }
        return (balanced.nanoseconds - base.nanoseconds - looks, allocations)
    }

    private static func pipeline(
        _ interceptors: [any Interceptor<HTTP.Request>]
    ) throws -> Pipeline<HTTP.Request> {
        try Pipeline(interceptors, transport: CannedTransport())
    }

    private static func workload(_ name: String, _ pipeline: Pipeline<HTTP.Request>) -> Workload {
        let (request, call) = (HTTP.Request.get("/v1/orders/42?limit=10"), Call())
        return Workload(name, answer: 204) { count in
            var sum = 0
            for _ in 0..<count { sum += try await pipeline.run(request, call: call).status.code }
            return sum
        }
    }
}
