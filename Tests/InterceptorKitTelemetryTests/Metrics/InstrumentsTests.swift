#if Metrics
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Metrics
import MetricsTestKit
import Testing

@Suite("Instruments of MetricsEventSink")
struct InstrumentsTests {
    @Test("know so many hosts, and no unknown methods and no paths")
    func cardinality() async throws {
        let metrics = TestMetrics()
        try await onSeeds(0..<1) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                events: MetricsEventSink(factory: metrics, hosts: 3)
            ) {}
            for number in 0..<50 {
                let url = HTTP.URL(
                    "https://h\(number).example:\(1000 + number)/o/\(number)?q=\(number)"
                )
                _ = try await client.send(HTTP.Request(HTTP.Method(rawValue: "M\(number)"), url))
            }
        }

        let timers = metrics.timers(label: "http.client.request.duration")
        expectEqual(timers.count, 4)
        expectTrue(timers.allSatisfy { $0.dimensions[0] == ("http.request.method", "_OTHER") })
        let others = timers.filter { $0.dimensions[1] == ("server.address", "_OTHER") }
        expectEqual(others.map(\.values.count), [47])
        expectTrue(
            others.allSatisfy { timer in !timer.dimensions.contains { $0.0 == "server.port" } }
        )
    }
}
#endif
