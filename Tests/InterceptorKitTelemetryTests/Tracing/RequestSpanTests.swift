#if Tracing
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Testing
import Tracing

@Suite("Spans of requests")
struct RequestSpanTests {
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

            try requireEqual(tracer.spans.count, 2)
            try require(tracer.spans.allSatisfy { $0.status == nil && $0.ends.count == 1 })
            try require(tracer.spans.allSatisfy { $0.attributes.get("error.type") == nil })
        }
    }

    @Test("record the timeout of an attempt as an error")
    func timedOut() async throws {
        try await onSeeds(0..<50) { simulation in
            let tracer = RecordingTracer()
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(200).delayed(by: .seconds(9))]
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

            let span = try unwrap(tracer.spans.first)
            try requireEqual(span.text("error.type"), "timeout")
            try requireEqual(span.status?.code, .error)
            try requireEqual(span.ends, [span.start + 2_000_000_000])
        }
    }

    @Test("record an error's type and message without secrets")
    func failed() async throws {
        let error = TransportError(.connectionLost, "No trust in https://u:pw@h/?token=hidden.")
        let run = try await TracedRun.of([.fail(error)], for: .post(order, body: "x"))

        for span in run.spans {
            expectEqual(span.text("error.type"), "TransportError.connection_lost")
            expectEqual(span.status?.code, .error)
            expectEqual(span.status?.message?.contains("No trust in https://██@h"), true)
            expectEqual(span.status?.message?.contains("hidden"), false)
            expectEqual(span.attributes.get("http.response.status_code"), nil)
        }
    }

    @Test("measure time on the runtime's clock")
    func times() async throws {
        let run = try await TracedRun.of([.status(200).delayed(by: .milliseconds(1500))])

        expectEqual(
            run.spans.map { $0.ends.map { end in end - run.spans[0].start } },
            [
                [1_500_000_000], [1_500_000_000],
            ]
        )
    }
}
#endif
