#if Metrics
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Metrics
import MetricsTestKit
import Testing

@Suite("Labels of decisions")
struct LabelsTests {
    @Test("tell circuit openings and rejections apart by authority")
    func breaker() async throws {
        let metrics = TestMetrics()
        try await onSeeds(0..<1) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            var settings = StandardSettings<HTTP.Request>()
            settings.retry = nil
            settings.breaker = CircuitBreaker()
            let client = try HTTP.Client.standard(
                settings,
                transport: transport,
                runtime: simulation.runtime,
                events: MetricsEventSink(factory: metrics)
            )
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<200 { group.addTask { _ = try? await client.send(.get(order)) } }
            }
        }

        let authority = [("authority", "https://api.example.com")]
        expectEqual(
            metrics.counterTotal(label: "interceptorkit.circuit.opened", dimensions: authority),
            1
        )
        let rejected = metrics.counters(label: "interceptorkit.circuit.rejected")
        expectTrue(rejected.map(\.totalValue).reduce(0, +) > 100)
        expectTrue(rejected.allSatisfy { $0.dimensions.map(\.0) == ["authority", "reason"] })
    }

    @Test("counts the ejections of an endpoint by its name")
    func ejections() {
        let metrics = TestMetrics()
        let call = Call(events: MetricsEventSink(factory: metrics))

        for _ in 0..<2 {
            call.emit(
                "endpoint.ejected",
                from: "LoadBalancingInterceptor",
                ["endpoint": .text("https://a.example"), "reason": .text("503")]
            )
        }

        let endpoint = [("endpoint", "https://a.example")]
        expectEqual(
            metrics.counterTotal(label: "interceptorkit.endpoint.ejected", dimensions: endpoint),
            2
        )
    }
}
#endif
