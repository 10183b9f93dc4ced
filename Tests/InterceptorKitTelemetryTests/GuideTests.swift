// What the module's articles show.
#if Logging && Metrics && Tracing
import Expectations
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

        try await expectEqual(api.send(.get(order)).status, 200)
    }

    @Test("logs a line for a call")
    func logged() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        let log = LoggingEventSink(Logger(label: "orders"))
        let api = try HTTP.Client(transport: transport, events: log) {
            RetryInterceptor(policy: .standard)
        }
        _ = try await api.send(.get("https://api.example.com/orders/7"))
        // GET https://api.example.com/orders/7 → 200 OK (120 ms)

        await log.flush()
        expectEqual(transport.sent.count, 1)
        expectEqual(log.missed, 0)
    }

    @Test("a call goes through while the process collects no metrics")
    func measured() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        let api = try HTTP.Client(transport: transport, events: MetricsEventSink()) {
            RetryInterceptor(policy: .standard)
        }

        try await expectEqual(api.send(.get(order)).status, 200)
    }

    @Test("records an attempt as a part of its call")
    func traced() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let tracer = RecordingTracer()
        let secret = "not for production"

        let api = try HTTP.Client(transport: transport) {
            CallTracingInterceptor(tracer: tracer)
            RetryInterceptor(policy: .standard)
            AttemptTracingInterceptor(tracer: tracer)
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
        }
        _ = try await api.send(.get(order))

        expectEqual(tracer.spans.map(\.kind), [.internal, .client])
        expectEqual(tracer.spans.last?.parent, tracer.spans.first?.id)
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

        expectEqual(response.status, 200)
        expectEqual(tracer.spans.map(\.name), ["GET /orders/{id}"])
    }

    @Test("configures buckets and levels")
    func settings() {
        let buckets = MetricsEventSink.durationBuckets  // 0.005 s to 10 s
        expectEqual(buckets.count, 14)

        var levels = LogLevels()
        levels.calls = .debug
        levels.failures = .error
        let log = LoggingEventSink(Logger(label: "orders"), levels: levels)
        expectEqual(log.levels.failures, .error)
    }
}
#endif
