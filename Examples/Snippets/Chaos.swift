// A network as bad as networks are, from a seed.
import InterceptorKit
import InterceptorKitTesting

func survivesABadNetwork() throws {
    // snippet.chaos
    try simulate(seeds: 0..<100) { simulation in
        let service = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let client = try HTTP.Client(transport: service, runtime: simulation.runtime) {
            RetryInterceptor(policy: .standard)
            FaultInjectionInterceptor([
                .latency(rate: 0.3, .milliseconds(20)...(.seconds(2))),
                .refused(rate: 0.02),
                .reset(rate: 0.02),
                .status(503, rate: 0.05),
            ])
        }
        _ = try await client.send(.get("https://api.example.com/orders"))
    }
    // snippet.end
}
