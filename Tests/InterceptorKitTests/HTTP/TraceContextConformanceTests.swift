import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("HTTP.TraceContext, by W3C's own tests")
struct TraceContextConformanceTests {
    @Test(
        "is parsed, kept and propagated as W3C's harness demands",
        .tags(.vectors),
        .vectors("trace-context")
    )
    func vectors() async throws {
        let (harness, units) = try TraceContextVectors.load()
        var conformance = Conformance("trace-context")

        for row in harness.cases + harness.multi_call_cases {
            let sent = try await Self.sent(row)
            conformance.note(row.expect.allows(sent), row.name)
        }
        Self.check(units, &conformance)

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 125)
    }

    /// What a client sends on behalf of a request that came in, in one attempt more than it has calls.
    private static func sent(_ row: TraceContextVectors.Case) async throws -> [HTTP.Request] {
        try await besideOtherTests {
            try Simulation.run(seed: 1) { simulation in
                let count = row.outgoing_calls ?? 1
                let transport = ScriptedTransport<HTTP.Request>(
                    replies: [.status(503)] + Array(repeating: .status(200), count: count)
                )
                let client = try simulation.client(transport) {
                    RetryInterceptor(policy: .steady)
                    TraceContextInterceptor()
                }
                for _ in 0..<count {
                    _ = try await client.send(.get(orders)) {
                        $0.traceContext = HTTP.TraceContext(row.headers)
                    }
                }
                return transport.sent.map(\.input)
            }
        }
    }

    private static func check(_ units: TraceContextVectors.Units, _ conformance: inout Conformance)
    {
        for text in units.traceparent_valid_v00 {
            let context = HTTP.TraceContext(traceparent: text)
            let isSame = context?.traceparent.dropLast(2) == text.dropLast(2)
            conformance.note(isSame, text)
        }
        for text in units.traceparent_future_version_parse_as_v00_prefix {
            let context = HTTP.TraceContext(traceparent: text)
            conformance.note(context?.traceparent == "00" + text.dropFirst(2), text)
        }
        for text in units.traceparent_invalid {
            conformance.note(HTTP.TraceContext(traceparent: text) == nil, text)
        }
        for row in units.tracestate {
            let expected = row.members?.map { $0.joined(separator: "=") }.joined(separator: ",")
            conformance.note(state(row.input) == expected, row.input)
        }
        for key in units.tracestate_key.valid {
            conformance.note(state("\(key)=1") == "\(key)=1", key)
        }
        for key in units.tracestate_key.invalid {
            conformance.note(state("\(key)=1") == nil, key)
        }
        for value in units.tracestate_value.valid {
            conformance.note(state("k=\(value)") == "k=\(value)", value)
        }
        for value in units.tracestate_value.invalid {
            conformance.note(state("k=\(value)") == nil, value)
        }
    }

    private static func state(_ text: String) -> String? {
        HTTP.TraceContext(
            traceparent: "00-12345678901234567890123456789012-1234567890123456-00",
            tracestate: [text]
        )?.tracestate
    }
}
