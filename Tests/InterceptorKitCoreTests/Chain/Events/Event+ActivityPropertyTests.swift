import Expectations
import InterceptorKit
import InterceptorKitTesting
import Scenarios
import TestRun
import TestSupport
import Testing

@Suite("Activities under random failures")
struct ActivityPropertyTests {
    @Test("each end once, within their parent", arguments: [false, true])
    func matched(hedged: Bool) async throws {
        let counts = Recorder<Int>()
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let sink = RecordingEventSink()

                let storm = try Storm(simulation, hedged: hedged, events: sink) {
                    ErrorFilterInterceptor()
                    HookInterceptor<HTTP.Request>(willSend: { _, _ in })
                    CompositeInterceptor("last") {
                        SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                    }
                }

                await storm.run()

                try requireEqual(unmatchedActivities(sink.events), [])
                let names = sink.names
                try requireEqual(
                    names.count { $0 == .refreshStarted },
                    names.count { $0 == .refreshEnded }
                )
                counts.note(names.count)
            }
        }

        let endings = counts.entries
        expectEqual(endings.count, Int(2 * seedCount))
        expectTrue(endings.allSatisfy { $0 > 20 })
    }
}
