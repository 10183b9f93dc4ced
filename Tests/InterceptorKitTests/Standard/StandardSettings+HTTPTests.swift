import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("StandardSettings for HTTP")
struct HTTPStandardSettingsTests {
    @Test("heeds what a server says of its limits")
    func limits() throws {
        var settings = StandardSettings<HTTP.Request>()
        settings.retry = nil
        settings.rateLimit = RateLimitPolicy(calls: 1000)
        settings.rateLimit?.isOnePartition = true

        let times = try Simulation.run { [settings] simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, headers: ["RateLimit": #""a";r=0;t=5"#]), .status(200),
            ])
            let client = try HTTP.Client.standard(
                transport: transport,
                settings,
                runtime: simulation.runtime
            )
            for _ in 0..<2 { _ = try await client.send(.get(orders)) }
            return transport.sent.map(\.instant.offset)
        }

        expectEqual(times.count, 2)
        expectTrue(times[1] - times[0] >= .seconds(5))
    }

    @Test("judges a server's health by status, a refusal apart from a failure")
    func health() async {
        let settings = StandardSettings<HTTP.Request>()
        func kind(_ status: HTTP.Status) async -> Classification.Kind {
            let outcome = Outcome<HTTP.Request>(
                input: .get(orders),
                result: .success(HTTP.Response(status)),
                call: Call()
            )
            return await settings.health.classify(outcome).kind
        }

        await expectEqual(kind(200), .success)
        await expectEqual(kind(404), .permanent)
        await expectEqual(kind(503), .transient)
    }
}
