import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Observed messages")
struct MessagesObservedTests {
    @Test("report where a body broke, and by which error")
    func broken() async throws {
        let sink = RecordingEventSink()
        let transport = CannedTransport(200, body: { .oneShot(ScriptedStream(["abc"], .error)) })
        let client = try HTTP.Client(transport: transport, timeout: nil, events: sink) {}

        let response = try await client.send(.get(orders))
        await #expect(throws: ScriptedStream.Broken.self) { try await response.body.collect() }

        let end = try unwrap(sink.events.last)
        expectEqual(end.name, .bodyEnded)
        expectEqual(end.phase, .ended(.failed))
        expectEqual(end.attributes["bytes"], .number(3))
        expectEqual(end.attributes["error.type"], .text("Broken"))
    }

    @Test("report no body that came as a whole, and pass it on as it is")
    func whole() async throws {
        let sink = RecordingEventSink()
        let client = try HTTP.Client(
            transport: CannedTransport(200, body: { "abc" }),
            timeout: nil,
            events: sink
        ) {}

        let response = try await client.send(.get(orders))

        expectEqual(response.body.inMemory?.count, 3)
        expectTrue(!sink.names.contains(.bodyBegan))
    }

    @Test("tell a cancelled reading from one that failed or was given up")
    func endings() {
        let endings: [HTTP.BodyEnding] = [
            .completed, .abandoned, .failed(CancellationError()), .failed(Problem()),
        ]

        expectEqual(
            endings.map { Event.Ending($0) },
            [.completed, .abandoned, .cancelled, .failed]
        )
        expectEqual(endings.map { $0.failure == nil }, [true, true, false, false])
    }
}
