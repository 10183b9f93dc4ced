import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Waits of a call")
struct CallWaitingTests {
    @Test("is reported from begin to end, within the waiting activity")
    func reported() async throws {
        let sink = RecordingEventSink()
        let call = Call(events: sink)

        try await call.activity(.interceptor, "seats", from: "seats") { call in
            let wait = call.beginWait(for: "a free seat", from: "seats")
            expectEqual(sink.events.last?.name, .waitBegan)
            wait.end()
        }

        let waits = sink.events.filter { $0.activity?.kind == .wait }
        expectEqual(waits.map(\.phase), [.began, .ended(.completed)])
        expectTrue(waits.allSatisfy { $0.activity?.name == "a free seat" })
        expectEqual(waits.first?.activity?.parent, sink.events.first?.activity?.id)
    }

    @Test("doesn't evaluate its text for an unobserved call")
    func unobserved() {
        let made = Recorder<Int>()
        let words: @Sendable () -> String = {
            made.note(1)
            return "a free seat"
        }

        Call().beginWait(for: words(), from: "seats").end()

        expectEqual(made.entries, [])
    }
}
