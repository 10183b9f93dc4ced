import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct RecordingEventSinkTests {
    @Test("keeps events in order and shows them as a timeline")
    func timeline() throws {
        let sink = RecordingEventSink()

        try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime, events: sink)
            call.emit(.entered, from: "Retry")
            try await simulation.runtime.sleep(for: .milliseconds(50))
            call.withAttempt(2).emit(
                .retryScheduled,
                from: "Retry",
                ["reason": .text("503"), "delay": .duration(.seconds(1))]
            )
        }

        expectEqual(sink.names, [.entered, .retryScheduled])
        expectEqual(sink.events.map(\.attempt), [1, 2])
        expectEqual(
            sink.timeline,
            """
            0 s, attempt 1: stage.entered from Retry
            0.05 s, attempt 2: retry.scheduled from Retry (delay: 1 s, reason: 503)
            """
        )
    }
}
