import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Events of retries and hedges")
struct RetryEventTests {
    @Test("say why a retry waits and why it stops")
    func events() throws {
        let sink = RecordingEventSink()
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport, events: sink) {
                RetryInterceptor(policy: .steady)
            }
            _ = try await client.send(.get(orders))
        }

        let retries = sink.events.filter { $0.name == .retryScheduled }
        let stops = sink.events.filter { $0.name == .retryStopped }
        expectEqual(retries.map(\.attempt), [1, 2])
        expectEqual(
            retries.first?.attributes,
            [
                "reason": .text("503 Service Unavailable"), "delay": .duration(.milliseconds(50)),
            ]
        )
        expectEqual(
            stops.first?.attributes,
            [
                "reason": .text("all 3 attempts failed"), "rule": .text("attempts"),
                "outcome": .text("503 Service Unavailable"),
            ]
        )
        expectTrue((retries + stops).allSatisfy { $0.source == "RetryInterceptor" })
    }

    @Test("tell each hedge, and which attempt decided")
    func hedgeEvents() async throws {
        let sink = RecordingEventSink()
        _ = try await HedgeRun.of(
            [.status(201).delayed(by: .seconds(9)), .status(202)],
            events: sink
        )

        let sent = sink.events.first { $0.name == .hedgeSent }
        let decided = sink.events.first { $0.name == .hedgeDecided }
        expectTrue(sent?.source == "HedgeInterceptor" && decided?.source == "HedgeInterceptor")
        expectEqual(sent?.attributes, ["number": .number(2), "reason": .text("slow")])
        expectEqual(decided?.attributes, ["number": .number(2)])
    }
}
