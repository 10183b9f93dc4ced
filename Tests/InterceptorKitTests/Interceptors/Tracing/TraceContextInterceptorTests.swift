import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("TraceContextInterceptor")
struct TraceContextInterceptorTests {
    private static let incoming =
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test("sends the call's trace and a new parent ID in each attempt")
    func attempts() async throws {
        let sent = try await Self.sent { call in
            call.traceContext = HTTP.TraceContext(traceparent: Self.incoming, tracestate: ["a=1"])
        }

        expectEqual(sent.count, 3)
        expectEqual(Set(sent.map(\.traceID)), ["0af7651916cd43dd8448eb211c80319c"])
        expectEqual(Set(sent.map(\.parentID)).count, 3)
        expectTrue(!sent.map(\.parentID).contains("b7ad6b7169203331"))
        expectTrue(sent.allSatisfy { $0.isSampled && $0.tracestate == "a=1" })
    }

    @Test("starts one trace for all attempts of a call without one", arguments: [true, false])
    func newTrace(isSampled: Bool) async throws {
        let sent = try await Self.sent(TraceContextInterceptor(samplingNewTraces: isSampled))

        expectEqual(sent.count, 3)
        expectEqual(Set(sent.map(\.traceID)).count, 1)
        expectEqual(Set(sent.map(\.parentID)).count, 3)
        expectTrue(sent.allSatisfy { $0.isSampled == isSampled && $0.tracestate == nil })
    }

    @Test("continues the trace of a request's own field, and adds no second one")
    func ownField() async throws {
        let sent = try await Self.sent(headers: ["traceparent": Self.incoming])

        expectEqual(Set(sent.map(\.traceID)), ["0af7651916cd43dd8448eb211c80319c"])
        expectTrue(!sent.map(\.parentID).contains("b7ad6b7169203331"))
    }

    @Test("prefers the call's context to the request's own field")
    func callBeforeField() async throws {
        let other = "00-11111111111111111111111111111111-2222222222222222-01"

        let sent = try await Self.sent(headers: ["traceparent": other]) { call in
            call.traceContext = HTTP.TraceContext(traceparent: Self.incoming)
        }

        expectEqual(Set(sent.map(\.traceID)), ["0af7651916cd43dd8448eb211c80319c"])
    }

    @Test("drops the tracestate of an invalid trace")
    func malformed() async throws {
        let sent = try await Self.sent(headers: ["traceparent": "00-1-2-3", "tracestate": "a=1"])

        expectEqual(sent.count, 3)
        expectTrue(sent.allSatisfy { $0.tracestate == nil })
    }

    @Test("sends as parent the span ID that events show")
    func observed() async throws {
        let sink = RecordingEventSink()

        let sent = try await Self.sent(events: sink)

        let passages = sink.events.filter {
            $0.phase == .began && $0.activity?.name == "TraceContextInterceptor"
        }
        expectEqual(passages.compactMap(\.activity?.id.description), sent.map(\.parentID))
        let reported = sink.events.filter { $0.name == .traceContextSent }
        expectEqual(reported.map { $0.attributes["span.id"] }, sent.map { .text($0.parentID) })
        expectEqual(reported.map { $0.attributes["trace.id"] }, sent.map { .text($0.traceID) })
        expectTrue(reported.allSatisfy { sent[0].traceID.hasPrefix("\($0.call)") })
    }

    private static func sent(
        _ interceptor: TraceContextInterceptor = TraceContextInterceptor(),
        headers: HTTP.Headers = [:],
        events: (any EventSink)? = nil,
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) async throws -> [HTTP.TraceContext] {
        try await besideOtherTests {
            try Simulation.run(seed: 1) { simulation in
                let transport = ScriptedTransport<HTTP.Request>(
                    replies: [.status(503), .status(503), .status(200)]
                )
                let client = try simulation.client(transport, events: events) {
                    RetryInterceptor(policy: .steady)
                    interceptor
                }
                _ = try await client.send(.get(orders, headers: headers), configure: configure)
                return transport.sent.compactMap { HTTP.TraceContext($0.input.headers) }
            }
        }
    }
}
