import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CompositeEventSink")
struct CompositeEventSinkTests {
    @Test("passes each event to all listening sinks")
    func all() async throws {
        let first = RecordingEventSink()
        let second = RecordingEventSink()
        let idle = EventPublisher()
        let sink = CompositeEventSink([first, idle, second])

        _ = try await Pipeline(transport: Echo<Int>(), events: sink) {}.run(1)

        expectEqual(first.names, [.callBegan, .entered, .left, .callEnded])
        expectEqual(second.names, first.names)
    }

    @Test("skips sinks that don't listen, event by event")
    func leftOut() async throws {
        let deaf = Deaf()
        let sink = CompositeEventSink([RecordingEventSink(), deaf])

        _ = try await Pipeline(transport: Echo<Int>(), events: sink) {}.run(1)

        expectEqual(deaf.heard.entries, [])
    }

    @Test("listens as long as one of its sinks does")
    func listening() {
        let stream = EventPublisher()

        expectTrue(!CompositeEventSink([]).isListening)
        expectTrue(!CompositeEventSink([stream]).isListening)
        let reader = stream.subscribe()
        expectTrue(CompositeEventSink([stream]).isListening)
        withExtendedLifetime(reader) {}
    }
}

private struct Deaf: EventSink {
    let heard = Recorder<Event.Name>()

    var isListening: Bool { false }

    func record(_ event: Event) { heard.note(event.name) }
}
