import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("EventPublisher")
struct EventPublisherTests {
    private static func pipeline(_ sink: some EventSink) throws -> Pipeline<Int> {
        try Pipeline(transport: Echo<Int>(), events: sink) { Adding(amount: 1) }
    }

    @Test("gives every reader every event, in order")
    func readers() async throws {
        let stream = EventPublisher()
        let first = stream.subscribe()
        let second = stream.subscribe()
        let pipeline = try Self.pipeline(stream)

        _ = try await pipeline.run(1)

        for reader in [first, second] {
            var names: [Event.Name] = []
            for await event in reader {
                names.append(event.name)
                if event.name == .callEnded { break }
            }
            expectEqual(names, [.callBegan, .entered, .entered, .left, .left, .callEnded])
        }
    }

    @Test("reports only while it has a reader")
    func idle() async throws {
        let stream = EventPublisher()
        let observed = Recorder<Bool>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, call in
                observed.note(call.isObserved)
                return input
            },
            events: stream
        ) {}

        _ = try await pipeline.run(1)
        do {
            let reader = stream.subscribe()
            _ = try await pipeline.run(1)
            withExtendedLifetime(reader) {}
        }
        _ = try await pipeline.run(1)

        expectEqual(observed.entries, [false, true, false])
        expectTrue(!stream.isListening)
    }

    @Test("drops the oldest events for a slow reader, and counts them")
    func slow() async throws {
        let stream = EventPublisher()
        let reader = stream.subscribe(buffering: 2)
        let pipeline = try Self.pipeline(stream)

        _ = try await pipeline.run(1)

        var events = reader.makeAsyncIterator()
        await expectEqual(events.next()?.name, .left)
        await expectEqual(events.next()?.name, .callEnded)
        expectEqual(stream.missed, 4)
    }

    @Test("ends for its readers when it is released")
    func end() async {
        var stream: EventPublisher? = EventPublisher()
        let reader = stream?.subscribe()
        stream = nil

        var events = reader?.makeAsyncIterator()

        await expectTrue(events?.next() == nil)
    }
}
