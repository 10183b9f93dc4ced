#if Tracing
import Expectations
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Scenarios
import TestRun
import Testing
import Tracing

@Suite("Spans of random calls")
struct TracingPropertyTests {
    @Test("end once each, and start no earlier than their parent", arguments: [false, true])
    func matched(hedged: Bool) async throws {
        let spans = Tally()
        let resends = Tally()
        try await onSeeds(0..<(2 * seedCount)) { simulation in
            let tracer = RecordingTracer()
            let storm = try Storm(simulation, hedged: hedged) {
                CallTracingInterceptor(tracer: tracer)
                AttemptTracingInterceptor(tracer: tracer)
            }

            await storm.run()

            let all = tracer.spans
            try require(all.allSatisfy { $0.ends.count == 1 && $0.ends[0] >= $0.start })
            let calls = all.filter { $0.kind == .internal }
            try requireEqual(calls.count, 4)
            for call in calls {
                let sends = all.filter { $0.parent == call.id }
                let numbers = sends.map { $0.number("http.request.resend_count") ?? 0 }
                try requireEqual(numbers, Array(0..<sends.count))
                try require(sends.allSatisfy { $0.kind == .client && $0.start >= call.start })
                resends.add(max(0, sends.count - 1))
            }
            spans.add(all.count)
        }

        expectTrue(spans.count > 2 * Int(seedCount) * 6)
        expectTrue(resends.count > 3 * Int(seedCount) / 10)
    }
}
#endif
