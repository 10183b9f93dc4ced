#if Metrics
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Metrics
import MetricsTestKit
import Scenarios
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MetricsEventSink")
struct MetricsEventSinkTests {
    private static let target = [
        ("http.request.method", "GET"), ("server.address", "api.example.com"),
        ("server.port", "443"),
    ]

    @Test("measures each send in seconds, by server, status and error type")
    func durations() async throws {
        let metrics = try await Self.metrics(
            [
                .status(503).delayed(by: .milliseconds(250)),
                .status(200).delayed(by: .milliseconds(1500)),
            ]
        )

        let failed = try metrics.expectTimer(
            "http.client.request.duration",
            Self.target + [("http.response.status_code", "503"), ("error.type", "503")]
        )
        expectEqual(failed.values, [250_000_000])
        expectEqual(failed.displayUnit, .seconds)
        let answered = try metrics.expectTimer(
            "http.client.request.duration",
            Self.target + [("http.response.status_code", "200")]
        )
        expectEqual(answered.values, [1_500_000_000])
        expectEqual(metrics.timers(label: "http.client.request.duration").count, 2)
    }

    @Test("advises the fourteen buckets of the semantic conventions")
    func buckets() {
        expectEqual(MetricsEventSink.durationBuckets.count, 14)
        expectEqual(MetricsEventSink.durationBuckets, MetricsEventSink.durationBuckets.sorted())
        expectEqual(MetricsEventSink.durationBuckets.first, 0.005)
        expectEqual(MetricsEventSink.durationBuckets.last, 10)
    }

    @Test("labels errors by type, and counts no cancellation as an error")
    func errors() async throws {
        let error = TransportError(.tls, "No trust.")
        let failed = try await Self.metrics([.fail(error)], for: .post(order, body: "x"))
        let cancelled = try await Self.metrics([.fail(CancellationError())])

        let types = [failed, cancelled].map { metrics in
            metrics.timers(label: "http.client.request.duration").map { timer in
                timer.dimensions.first { $0.0 == "error.type" }?.1
            }
        }
        expectEqual(types, [["TransportError"], [nil]])
    }

    @Test("measures the size of bodies, also of those that are read later")
    func sizes() async throws {
        let streamed = HTTP.Body.oneShot(AsyncStream.once(Data(repeating: 97, count: 700)))
        let metrics = try await Self.metrics(
            [.status(200, body: streamed)],
            for: HTTP.Request(.put, order, body: "1234")
        )
        let whole = try await Self.metrics([.status(200, body: "12345")])

        let sizes = ["request", "response"].map { message in
            metrics.recorders(label: "http.client.\(message).body.size").map(\.values)
        }
        expectEqual(sizes, [[[4]], [[700]]])
        let label = "http.client.response.body.size"
        expectEqual(whole.recorders(label: label).map(\.values), [[5]])
    }

    @Test("counts the sends in flight")
    func active() async throws {
        let metrics = try await Self.metrics([.status(503), .status(200)])

        let meter = try metrics.expectMeter("http.client.active_requests", Self.target)
        expectEqual(meter.values, [1, 0, 1, 0])
    }

    @Test("counts decisions, and measures calls and the waits before retries")
    func decisions() async throws {
        let metrics = try await Self.metrics(
            [.status(401), .status(503), .status(200)],
            token: true
        )

        expectEqual(metrics.counterTotal(label: "interceptorkit.retry.scheduled"), 1)
        expectEqual(metrics.counterTotal(label: "interceptorkit.credential.rejected"), 1)
        expectEqual(
            metrics.counterTotal(
                label: "interceptorkit.credential.refresh_ended",
                dimensions: [("outcome", "done")]
            ),
            1
        )
        expectEqual(metrics.timers(label: "interceptorkit.retry.delay").map(\.values.count), [1])
        let calls = try metrics.expectTimer(
            "interceptorkit.call.duration",
            [("outcome", "completed")]
        )
        expectEqual(calls.values.count, 1)
    }

    @Test("measures every send and call once, and none stays in flight", arguments: [false, true])
    func balanced(hedged: Bool) async throws {
        try await onSeeds(0..<300) { simulation in
            let metrics = TestMetrics()
            let sink = MetricsEventSink(factory: metrics)
            let record = RecordingEventSink()
            let storm = try Storm(
                simulation,
                hedged: hedged,
                events: CompositeEventSink([sink, record])
            ) {}

            await storm.run()

            let sends = record.events.count {
                $0.activity?.kind == .transport && $0.phase == .began
            }
            let measured = metrics.timers(label: "http.client.request.duration")
                .map(\.values.count).reduce(0, +)
            try requireEqual(measured, sends)
            let meters = metrics.meters(label: "http.client.active_requests")
            try require(meters.allSatisfy { $0.lastValue == 0 })
            let calls = metrics.timers(label: "interceptorkit.call.duration")
            try requireEqual(calls.map(\.values.count).reduce(0, +), 4)
        }
    }

    private static func metrics(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(order),
        token: Bool = false
    ) async throws -> TestMetrics {
        let metrics = TestMetrics()
        try await onSeeds(0..<1) { simulation in
            let client = try HTTP.Client(
                transport: ScriptedTransport(replies: steps),
                runtime: simulation.runtime,
                events: MetricsEventSink(factory: metrics)
            ) {
                RetryInterceptor(policy: .steady)
                if token {
                    TokenInterceptor(
                        source: RefreshableCredentialSource(
                            initial: { .bearer("t0") },
                            refresh: { _ in .bearer("t1") }
                        ),
                        origins: ["https://api.example.com"]
                    )
                }
            }
            guard let response = try? await client.send(request) else { return }
            _ = try? await response.body.collect()
        }
        return metrics
    }
}

extension AsyncStream {
    fileprivate static func once(_ element: Element) -> AsyncStream where Element: Sendable {
        AsyncStream { continuation in
            continuation.yield(element)
            continuation.finish()
        }
    }
}
#endif
