#if Tracing
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Synchronization
import Tracing

/// What is recorded of a request that is sent to a script.
struct TracedRun: Sendable {
    var spans: [RecordedSpan]
    var sent: [HTTP.Request]

    var sends: [RecordedSpan] { spans.filter { $0.kind == .client } }

    static func of(
        _ steps: [ScriptStep<HTTP.Request>],
        for request: HTTP.Request = .get(order),
        token: Bool = false,
        callSpan: Bool = true,
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) async throws -> TracedRun {
        let run = Mutex<TracedRun>(TracedRun(spans: [], sent: []))
        try await onSeeds(0..<1) { simulation in
            let tracer = RecordingTracer()
            let transport = ScriptedTransport(replies: steps)
            let client = try client(simulation, transport, tracer, token: token, callSpan: callSpan)
            _ = try? await client.send(request, configure: configure)
            run.withLock {
                $0 = TracedRun(spans: tracer.spans, sent: transport.sent.map(\.input))
            }
        }
        return run.withLock { $0 }
    }

    static func client(
        _ simulation: Simulation,
        _ transport: ScriptedTransport<HTTP.Request>,
        _ tracer: RecordingTracer,
        token: Bool = false,
        callSpan: Bool = true
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport, timeout: nil, runtime: simulation.runtime) {
            if callSpan {
                CallTracingInterceptor(tracer: tracer)
            }
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
            AttemptTracingInterceptor(tracer: tracer)
        }
    }
}
#endif
