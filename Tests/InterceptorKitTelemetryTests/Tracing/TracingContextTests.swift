#if Tracing
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Testing
import Tracing

/// Whose part the spans of a call are, and what is part of them.
@Suite("Tracing context")
struct TracingContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let incoming = "00-\(trace)-b7ad6b7169203331-01"

    @Test("continues the trace of the caller's task")
    func callersTask() async throws {
        let run = try await onSeed { client in
            var context = ServiceContext.topLevel
            context[RecordingTracer.Key.self] = [Self.trace, "00f067aa0ba902b7"]
            _ = try await ServiceContext.$current.withValue(context) {
                try await client.send(.get(order))
            }
        }

        expectEqual(run.map(\.traceID), [Self.trace, Self.trace])
        expectEqual(run.map(\.parent), ["00f067aa0ba902b7", run[0].id])
    }

    @Test("prefers the call's own service context to the task's")
    func callsContext() async throws {
        let run = try await onSeed { client in
            var outer = ServiceContext.topLevel
            outer[RecordingTracer.Key.self] = ["1", "2"]
            _ = try await ServiceContext.$current.withValue(outer) {
                try await client.send(.get(order)) { call in
                    var context = ServiceContext.topLevel
                    context[RecordingTracer.Key.self] = [Self.trace, "00f067aa0ba902b7"]
                    call.serviceContext = context
                }
            }
        }

        expectEqual(run.map(\.parent), ["00f067aa0ba902b7", run[0].id])
    }

    @Test("continues the call's or request's traceparent if there is no other")
    func received() async throws {
        let ofCall = try await onSeed { client in
            _ = try await client.send(.get(order)) {
                $0.traceContext = HTTP.TraceContext(traceparent: Self.incoming)
            }
        }
        let ofRequest = try await onSeed { client in
            _ = try await client.send(.get(order, headers: ["traceparent": Self.incoming]))
        }

        for run in [ofCall, ofRequest] {
            expectEqual(run.map(\.traceID), [Self.trace, Self.trace])
            expectEqual(run.map(\.parent), ["b7ad6b7169203331", run[0].id])
        }
    }

    @Test("is set to the current span for interceptors and transport below")
    func below() async throws {
        let seen = Seen()
        let run = try await onSeed(seen) { client in
            _ = try await client.send(.get(order))
        }

        expectEqual(seen.notes, run.map(\.id))
        expectTrue(ServiceContext.current == nil)
    }

    private func onSeed(
        _ seen: Seen = Seen(),
        _ body: @escaping @Sendable (HTTP.Client) async throws -> Void
    ) async throws -> [RecordedSpan] {
        let tracer = RecordingTracer()
        try await onSeeds(0..<1) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try HTTP.Client(
                transport: transport,
                timeout: nil,
                runtime: simulation.runtime
            ) {
                CallTracingInterceptor(tracer: tracer)
                AnyInterceptor<HTTP.Request>("looking") { chain in
                    seen.look()
                    return try await chain.proceed()
                }
                AttemptTracingInterceptor(tracer: tracer)
                AnyInterceptor<HTTP.Request>("looking") { chain in
                    seen.look()
                    return try await chain.proceed()
                }
            }
            try await body(client)
        }
        return tracer.spans
    }
}
#endif
