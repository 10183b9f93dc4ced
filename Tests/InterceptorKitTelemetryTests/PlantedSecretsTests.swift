#if Logging && Metrics && Tracing
import Expectations
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import MetricsTestKit
import Scenarios
import TestRun
import Testing
import Tracing

@Suite("Telemetry of calls with secrets")
struct PlantedSecretsTests {
    private static let secret = "s3cr3t"

    @Test("has no planted secret in a log line, label or span")
    func planted() async throws {
        let told = (lines: Tally(), labels: Tally(), attributes: Tally(), messages: Tally())
        try await onSeeds(0..<(2 * seedCount)) { simulation in
            var plant = Plant(Self.secret, seed: simulation.seed)
            let request = plant.request()
            let transport = PlantedTransport(plant.response(), or: plant.error())
            var handler = InMemoryLogHandler()
            handler.logLevel = .trace
            let kept = handler
            let log = LoggingEventSink(
                Logger(label: "test") { _ in kept },
                runtime: simulation.runtime
            )
            let metrics = TestMetrics()
            let tracer = RecordingTracer()
            let client = try Self.client(simulation, transport, log, metrics, tracer)

            // Not by the client, which refuses a URL that has a password before anything is told of it.
            if let response = try? await client.pipeline.run(request) {
                _ = try? await response.body.collect()
            }

            await log.flush()
            let lines = kept.entries.map { "\($0.level) \($0.message) \($0.metadata)" }
            let shown = lines + metrics.texts + tracer.spans.flatMap(\.texts)
            let leak = shown.first { $0.contains(Self.secret) }
            try requireEqual(leak, nil, "\(request.url.text)\n\(leak ?? "")")
            told.lines.add(lines.count)
            told.labels.add(metrics.texts.count)
            told.attributes.add(tracer.spans.map(\.attributes.count).reduce(0, +))
            told.messages.add(tracer.spans.count { $0.status?.message != nil })
        }

        expectTrue(told.lines.count > 2 * Int(seedCount) * 8)
        expectTrue(told.labels.count > 3 * Int(seedCount))
        expectTrue(told.attributes.count > 2 * Int(seedCount) * 6)
        expectTrue(told.messages.count > 2 * Int(seedCount))
    }

    private static func client(
        _ simulation: Simulation,
        _ transport: PlantedTransport,
        _ log: LoggingEventSink,
        _ metrics: TestMetrics,
        _ tracer: RecordingTracer
    ) throws -> HTTP.Client {
        try HTTP.Client(
            transport: transport,
            runtime: simulation.runtime,
            events: CompositeEventSink([log, MetricsEventSink(factory: metrics)])
        ) {
            CallTracingInterceptor(tracer: tracer)
            RetryInterceptor(policy: .steady)
            TokenInterceptor(
                source: RefreshableCredentialSource { _ in .bearer(secret) },
                origins: ["https://api.example.com"]
            )
            AttemptTracingInterceptor(tracer: tracer)
            SignInterceptor(.hmacSHA256(keyID: "k", secret: secret))
        }
    }
}

extension TestMetrics {
    /// Each instrument's name and what it is told apart by.
    fileprivate var texts: [String] {
        counters.map { "\($0.label) \($0.dimensions)" }
            + meters.map { "\($0.label) \($0.dimensions)" }
            + recorders.map { "\($0.label) \($0.dimensions)" }
            + timers.map { "\($0.label) \($0.dimensions)" }
    }
}

extension RecordedSpan {
    /// All that a backend would be told of it.
    fileprivate var texts: [String] {
        var texts = [name, traceID, status?.message ?? ""] + remarks
        attributes.forEach { texts.append("\($0) \($1)") }
        return texts
    }
}
#endif
