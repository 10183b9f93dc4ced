// What the module's articles show.
#if Logging && Metrics && Tracing
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import Metrics
import Testing
import Tracing

@Suite("The guide")
struct TelemetryGuideTests {
    @Test("combines logs, metrics and traces")
    func together() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        let events = CompositeEventSink([
            MetricsEventSink(),
            LoggingEventSink(Logger(label: "orders")),
        ])
        let api = try HTTP.Client(transport: transport, events: events) {
            CallTracingInterceptor()
            RetryInterceptor(policy: .standard)
            AttemptTracingInterceptor()
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
        }

        #expect(try await api.send(.get(order)).status == 200)
    }

    @Test("names spans by a template")
    func template() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let tracer = RecordingTracer()
        let api = try HTTP.Client(transport: transport) {
            BaseURLInterceptor("https://api.example.com")
            CallTracingInterceptor(tracer: tracer)
        }

        let response = try await api.send(.get("/orders/7")) { $0.urlTemplate = "/orders/{id}" }

        #expect(response.status == 200)
        #expect(tracer.spans.map(\.name) == ["GET /orders/{id}"])
    }

    @Test("configures buckets and levels")
    func settings() {
        let buckets = MetricsEventSink.durationBuckets  // 0.005 s to 10 s
        #expect(buckets.count == 14)

        var levels = LogLevels()
        levels.calls = .debug
        levels.failures = .error
        let log = LoggingEventSink(Logger(label: "orders"), levels: levels)
        #expect(log.levels.failures == .error)
    }
}
#endif
