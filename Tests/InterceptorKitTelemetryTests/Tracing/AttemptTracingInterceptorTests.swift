#if Tracing
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Testing
import Tracing

@Suite("CallTracingInterceptor and AttemptTracingInterceptor")
struct AttemptTracingInterceptorTests {
    @Test("record a token refresh and a retry as three sends of one call")
    func resends() async throws {
        let run = try await TracedRun.of(
            [.status(401), .status(500), .status(200)],
            token: true
        )

        expectEqual(run.spans.map(\.kind), [.internal, .client, .client, .client])
        expectEqual(run.spans.map { $0.number("http.request.resend_count") }, [nil, nil, 1, 2])
        let codes = run.spans.map { $0.number("http.response.status_code") }
        expectEqual(codes, [200, 401, 500, 200])
        expectEqual(run.spans.map { $0.text("error.type") }, [nil, "401", "500", nil])
        expectEqual(run.spans.map { $0.status?.code }, [nil, .error, .error, nil])
        expectTrue(run.spans.dropFirst().allSatisfy { $0.parent == run.spans[0].id })
        expectEqual(Set(run.spans.map(\.traceID)).count, 1)
    }

    @Test("send in each request's traceparent the span recorded for it")
    func wire() async throws {
        let run = try await TracedRun.of([.status(503), .status(503), .status(200)])

        let sent = run.sent.compactMap { HTTP.TraceContext($0.headers) }
        expectEqual(sent.map(\.parentID), run.sends.map(\.id))
        expectEqual(sent.map(\.traceID), run.sends.map(\.traceID))
        expectEqual(Set(sent.map(\.parentID)).count, 3)
    }

    @Test("emit an event with the trace and span of each send")
    func events() async throws {
        try await onSeeds(0..<1) { simulation in
            let tracer = RecordingTracer()
            let events = RecordingEventSink()
            let client = try HTTP.Client(
                transport: ScriptedTransport(replies: [.status(503), .status(200)]),
                timeout: nil,
                runtime: simulation.runtime,
                events: events
            ) {
                RetryInterceptor(policy: .steady)
                AttemptTracingInterceptor(tracer: tracer)
            }

            _ = try await client.send(.get(order))

            let said = events.events.filter { $0.name == .traceContextSent }
            expectEqual(said.map { $0.attributes["span.id"] }, tracer.spans.map { .text($0.id) })
            expectEqual(
                said.map { $0.attributes["trace.id"] },
                tracer.spans.map { .text($0.traceID) }
            )
        }
    }

    @Test("number attempts when no call span counts them")
    func attemptsAlone() async throws {
        let run = try await TracedRun.of([.status(503), .status(200)], callSpan: false)

        expectEqual(run.spans.map { $0.number("http.request.resend_count") }, [nil, 1])
    }

    @Test("record only if told to who calls, also of the call they serve")
    func endUser() async throws {
        let tracer = RecordingTracer()
        let alice = Principal("alice", issuer: "i")
        let chain: [any Interceptor<HTTP.Request>] = [
            CallTracingInterceptor(tracer: tracer, recordsEndUser: true),
            AttemptTracingInterceptor(tracer: tracer),
        ]
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let pipeline = try Pipeline(chain, transport: transport)
        var served = Call()
        served.principal = alice
        var own = pipeline.makeCall()
        own.principal = Principal("bob")

        _ = try await served.serve { try await pipeline.run(.get(order)) }
        _ = try await served.serve { [own] in try await pipeline.run(.get(order), call: own) }
        _ = try await pipeline.run(.get(order))

        expectEqual(
            tracer.spans.map { $0.text("enduser.id") },
            ["i alice", nil, "bob", nil, nil, nil]
        )
    }

    @Test("are refused below signing, which could not cover their field")
    func placement() {
        #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: ScriptedTransport<HTTP.Request>(replies: []), timeout: nil) {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                AttemptTracingInterceptor()
            }
        }
    }
}
#endif
