#if Tracing
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Testing
import Tracing

@Suite("CallTracingInterceptor and AttemptTracingInterceptor")
struct TracingTests {
    @Test("record a token refresh and a retry as three sends of one call")
    func resends() async throws {
        let run = try await TracedRun.of(
            [.status(401), .status(500), .status(200)],
            token: true
        )

        #expect(run.spans.map(\.kind) == [.internal, .client, .client, .client])
        #expect(run.spans.map { $0.number("http.request.resend_count") } == [nil, nil, 1, 2])
        let codes = run.spans.map { $0.number("http.response.status_code") }
        #expect(codes == [200, 401, 500, 200])
        #expect(run.spans.map { $0.text("error.type") } == [nil, "401", "500", nil])
        #expect(run.spans.map { $0.status?.code } == [nil, .error, .error, nil])
        #expect(run.spans.dropFirst().allSatisfy { $0.parent == run.spans[0].id })
        #expect(Set(run.spans.map(\.traceID)).count == 1)
    }

    @Test("send in each request's traceparent the span recorded for it")
    func wire() async throws {
        let run = try await TracedRun.of([.status(503), .status(503), .status(200)])

        let sent = run.sent.compactMap { HTTP.TraceContext($0.headers) }
        #expect(sent.map(\.parentID) == run.sends.map(\.id))
        #expect(sent.map(\.traceID) == run.sends.map(\.traceID))
        #expect(Set(sent.map(\.parentID)).count == 3)
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
            #expect(said.map { $0.attributes["span.id"] } == tracer.spans.map { .text($0.id) })
            #expect(
                said.map { $0.attributes["trace.id"] } == tracer.spans.map { .text($0.traceID) }
            )
        }
    }

    @Test("record where a request goes, without its secrets")
    func attributes() async throws {
        let run = try await TracedRun.of([.status(204)])

        for span in run.spans {
            #expect(span.name == "GET")
            #expect(span.text("http.request.method") == "GET")
            #expect(span.attributes.get("http.request.method_original") == nil)
            #expect(span.text("url.full") == "https://api.example.com/orders/7?token=██")
            #expect(span.text("server.address") == "api.example.com")
            #expect(span.number("server.port") == 443)
            #expect(span.attributes.get("url.template") == nil)
        }
    }

    @Test("name spans by the call's URL template instead of the path")
    func template() async throws {
        let run = try await TracedRun.of([.status(200)]) { $0.urlTemplate = "/orders/{id}" }

        #expect(run.spans.map(\.name) == ["GET /orders/{id}", "GET /orders/{id}"])
        #expect(run.spans.map { $0.text("url.template") } == ["/orders/{id}", "/orders/{id}"])
    }

    @Test("record an unknown method as _OTHER", arguments: ["BREW", "get", "PROPFIND"])
    func unknownMethod(method: String) async throws {
        let run = try await TracedRun.of(
            [.status(200)],
            for: HTTP.Request(HTTP.Method(rawValue: method), order)
        )

        #expect(run.spans.map(\.name) == ["HTTP", "HTTP"])
        #expect(run.spans.map { $0.text("http.request.method") } == ["_OTHER", "_OTHER"])
        #expect(run.spans.map { $0.text("http.request.method_original") } == [method, method])
    }

    @Test("record no error when the caller cancels")
    func cancelled() async throws {
        try await onSeeds(0..<50) { simulation in
            let tracer = RecordingTracer()
            let gate = Gate()
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(200).held(at: gate)]
            )
            let client = try TracedRun.client(simulation, transport, tracer)
            let call = simulation.runtime.start("call") {
                _ = try? await client.send(.get(order))
            }
            try await gate.waitForArrivals(1)

            call.cancel()
            await call.value

            try #require(tracer.spans.count == 2)
            try #require(tracer.spans.allSatisfy { $0.status == nil && $0.ends.count == 1 })
            try #require(tracer.spans.allSatisfy { $0.attributes.get("error.type") == nil })
        }
    }

    @Test("record the timeout of an attempt as an error")
    func timedOut() async throws {
        try await onSeeds(0..<50) { simulation in
            let tracer = RecordingTracer()
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(200).after(.seconds(9))]
            )
            let client = try HTTP.Client(
                transport: transport,
                timeout: nil,
                runtime: simulation.runtime
            ) {
                TimeoutInterceptor<HTTP.Request>(attempt: .seconds(2))
                AttemptTracingInterceptor(tracer: tracer)
            }

            _ = try? await client.send(.get(order))

            let span = try #require(tracer.spans.first)
            try #require(span.text("error.type") == "timeout")
            try #require(span.status?.code == .error)
            try #require(span.ends == [span.start + 2_000_000_000])
        }
    }

    @Test("record an error's type and message without secrets")
    func failed() async throws {
        let error = TransportError(.tls, "No trust in https://u:pw@h/?token=hidden.")
        let run = try await TracedRun.of([.fail(error)], for: .post(order, body: "x"))

        for span in run.spans {
            #expect(span.text("error.type") == "TransportError")
            #expect(span.status?.code == .error)
            #expect(span.status?.message?.contains("No trust in https://██@h") == true)
            #expect(span.status?.message?.contains("hidden") == false)
            #expect(span.attributes.get("http.response.status_code") == nil)
        }
    }

    @Test("measure time on the runtime's clock")
    func times() async throws {
        let run = try await TracedRun.of([.status(200).after(.milliseconds(1500))])

        #expect(
            run.spans.map { $0.ends.map { end in end - run.spans[0].start } } == [
                [1_500_000_000], [1_500_000_000],
            ]
        )
    }

    @Test("number attempts when no call span counts them")
    func attemptsAlone() async throws {
        let run = try await TracedRun.of([.status(503), .status(200)], callSpan: false)

        #expect(run.spans.map { $0.number("http.request.resend_count") } == [nil, 1])
    }

    @Test("are refused below signing, which could not cover their field")
    func placement() {
        #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                AttemptTracingInterceptor()
            }
        }
    }
}
#endif
