import Expectations
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("EventBroadcaster")
struct EventBroadcasterTests {
    private static func broadcaster(
        _ simulation: Simulation,
        capacity: Int = 100
    ) -> HTTP.EventBroadcaster {
        HTTP.EventBroadcaster(
            HTTP.MemoryEventStore(capacity: capacity, runtime: simulation.runtime),
            runtime: simulation.runtime
        )
    }

    private static func publish(
        _ numbers: ClosedRange<Int>,
        to broadcaster: HTTP.EventBroadcaster
    ) async throws -> [String] {
        var ids: [String] = []
        for number in numbers {
            ids.append(try await broadcaster.publish(HTTP.ServerSentEvent(data: "\(number)")))
        }
        return ids
    }

    private static func data(_ events: some AsyncSequence<HTTP.ServerSentEvent, any Error>)
        async throws -> [String]
    {
        var data: [String] = []
        for try await event in events { data.append(event.data) }
        return data
    }

    @Test("replays what a subscriber missed, and goes on live")
    func replay() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let ids = try await Self.publish(1...3, to: broadcaster)
            let events = try await broadcaster.events(after: ids[0])
            let reading = Task.child(in: simulation) { try await Self.data(events) }
            _ = try await Self.publish(4...5, to: broadcaster)
            broadcaster.finish()
            let data = try await reading.value

            try requireEqual(data, ["2", "3", "4", "5"])
        }
    }

    @Test("sends what is published to a waiting subscriber at once")
    func live() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let events = try await broadcaster.events(after: nil)
            let reading = Task.child(in: simulation) {
                var times: [Duration] = []
                for try await _ in events {
                    times.append(simulation.now.offset)
                    if times.count == 2 { break }
                }
                return times
            }
            for number in 1...2 {
                try await simulation.runtime.sleep(for: .seconds(1))
                _ = try await Self.publish(number...number, to: broadcaster)
            }

            try await requireEqual(reading.value, [.seconds(1), .seconds(2)])
        }
    }

    @Test("begins live, or with the oldest, from when the events are asked for")
    func beginnings() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let none = try await broadcaster.events(after: nil)
            _ = try await Self.publish(1...2, to: broadcaster)
            let live = try await broadcaster.events(after: "")
            let oldest = try await broadcaster.events(after: nil, beginning: .oldest)
            _ = try await Self.publish(3...40, to: broadcaster)
            broadcaster.finish()
            let all = (1...40).map { "\($0)" }

            try await requireEqual(Self.data(none), all)
            try await requireEqual(Self.data(live), Array(all[2...]))
            try await requireEqual(Self.data(live), Array(all[2...]))
            try await requireEqual(Self.data(oldest), all)
        }
    }

    @Test("throws for an unknown id, or begins with the oldest")
    func unknownID() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation, capacity: 2)
            let ids = try await Self.publish(1...5, to: broadcaster)
            let error = await #expect(throws: HTTP.StreamingError.self) {
                try await broadcaster.events(after: ids[0])
            }
            let events = try await broadcaster.events(after: ids[0], unknownID: .beginWithOldest)
            broadcaster.finish()

            try requireEqual(error?.code, .unknownID)
            try await requireEqual(Self.data(events), ["4", "5"])
        }
    }

    @Test("treats a subscriber that fell behind like one with an unknown id")
    func behind() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation, capacity: 2)
            let strict = try await broadcaster.events(after: nil)
            let lenient = try await broadcaster.events(after: nil, unknownID: .beginWithOldest)
            _ = try await Self.publish(1...5, to: broadcaster)
            broadcaster.finish()
            let error = await #expect(throws: HTTP.StreamingError.self) {
                try await Self.data(strict)
            }

            try requireEqual(error?.code, .unknownID)
            try await requireEqual(Self.data(lenient), ["4", "5"])
        }
    }

    @Test("ends a cancelled subscriber at once, and counts those that are there")
    func cancelled() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let events = try await broadcaster.events(after: nil)
            let counts = [broadcaster.subscriberCount]
            let reading = (0..<3).map { _ in
                Task.child(in: simulation) { try await Self.data(events) }
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            let during = broadcaster.subscriberCount
            reading[0].cancel()
            await #expect(throws: CancellationError.self) { try await reading[0].value }
            let after = broadcaster.subscriberCount
            _ = try await Self.publish(1...1, to: broadcaster)
            broadcaster.finish()

            try await requireEqual(reading[1].value, ["1"])
            try await requireEqual(reading[2].value, ["1"])
            try requireEqual(counts + [during, after, broadcaster.subscriberCount], [0, 3, 2, 0])
            try requireEqual(simulation.now.offset, .seconds(1))
        }
    }

    @Test("counts a subscriber no more that left its loop")
    func left() async throws {
        try await onEverySeed(0..<10) { simulation in
            let broadcaster = Self.broadcaster(simulation)
            _ = try await Self.publish(1...3, to: broadcaster)
            for try await _ in try await broadcaster.events(after: nil, beginning: .oldest) {
                break
            }

            try requireEqual(broadcaster.subscriberCount, 0)
        }
    }

    @Test("takes no event after its end, and none that cannot be encoded")
    func refused() async throws {
        try await onEverySeed(0..<10) { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let invalid = await #expect(throws: HTTP.StreamingError.self) {
                try await broadcaster.publish(HTTP.ServerSentEvent(data: "x", type: "a\nb"))
            }
            broadcaster.finish()
            let late = await #expect(throws: HTTP.StreamingError.self) {
                try await broadcaster.publish(HTTP.ServerSentEvent(data: "x"))
            }

            try requireEqual(invalid?.code, .invalidEvent)
            try requireEqual(late?.code, .finished)
            try await require(broadcaster.store.events(after: nil, limit: 1).isEmpty)
        }
    }

    @Test("finds what others appended to its store when it is woken")
    func woken() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let events = try await broadcaster.events(after: nil)
            let reading = Task.child(in: simulation) {
                for try await event in events { return event.data }
                return "none"
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            _ = try await broadcaster.store.append(HTTP.ServerSentEvent(data: "other"))
            broadcaster.wake()

            try await requireEqual(reading.value, "other")
        }
    }

    @Test("misses no event that is published while a subscriber reads the store")
    func publishedMeanwhile() async throws {
        try await onEverySeed { simulation in
            let store = HeldStore(
                memory: HTTP.MemoryEventStore(capacity: 10, runtime: simulation.runtime)
            )
            let broadcaster = HTTP.EventBroadcaster(store, runtime: simulation.runtime)
            let events = try await broadcaster.events(after: nil)
            let reading = Task.child(in: simulation) { try await Self.data(events) }
            try await store.gate.waitForArrivals(1)
            try await broadcaster.publish(HTTP.ServerSentEvent(data: "1"))
            store.gate.release()
            try await store.gate.waitForArrivals(1)
            store.gate.release()
            try await store.gate.waitForArrivals(1)
            try await broadcaster.publish(HTTP.ServerSentEvent(data: "2"))
            broadcaster.finish()
            store.gate.open()

            try await requireEqual(reading.value, ["1", "2"])
        }
    }

    @Test("ends a subscriber that reads the store at the time")
    func finishedMeanwhile() async throws {
        try await onEverySeed(0..<10) { simulation in
            let store = HeldStore(
                memory: HTTP.MemoryEventStore(capacity: 10, runtime: simulation.runtime)
            )
            let broadcaster = HTTP.EventBroadcaster(store, runtime: simulation.runtime)
            let events = try await broadcaster.events(after: nil)
            let reading = Task.child(in: simulation) { try await Self.data(events) }
            try await store.gate.waitForArrivals(1)
            broadcaster.finish()
            store.gate.open()

            try await require(reading.value.isEmpty)
        }
    }

    @Test("ends a subscriber after an event that is being published")
    func finishedWhilePublishing() async throws {
        try await onEverySeed { simulation in
            let store = HeldStore(
                memory: HTTP.MemoryEventStore(capacity: 10, runtime: simulation.runtime),
                holdsAppends: true
            )
            let broadcaster = HTTP.EventBroadcaster(store, runtime: simulation.runtime)
            let events = try await broadcaster.events(after: nil)
            let reading = Task.child(in: simulation) { try await Self.data(events) }
            let publishing = Task.child(in: simulation) {
                try await broadcaster.publish(HTTP.ServerSentEvent(data: "1"))
            }
            try await store.gate.waitForArrivals(1)
            broadcaster.finish()
            try await simulation.runtime.sleep(for: .seconds(1))
            store.gate.open()
            _ = try await publishing.value

            try await requireEqual(reading.value, ["1"])
        }
    }

    @Test("stays at its end after an error, and is then not counted")
    func afterError() async throws {
        try await onEverySeed(0..<10) { simulation in
            let broadcaster = Self.broadcaster(simulation, capacity: 2)
            let events = try await broadcaster.events(after: nil)
            _ = try await Self.publish(1...5, to: broadcaster)
            var iterator = events.makeAsyncIterator()
            do { _ = try await iterator.next() } catch is HTTP.StreamingError {}
            let count = broadcaster.subscriberCount

            try await requireEqual(iterator.next(), nil)
            try requireEqual(count, 0)
        }
    }

    @Test("fails a subscriber whose store returns an event without an id")
    func withoutID() async throws {
        struct Careless: HTTP.EventStore {
            func append(_ event: HTTP.ServerSentEvent) async throws -> String { "1" }
            func events(after id: String?, limit: Int) async throws -> [HTTP.ServerSentEvent] {
                [HTTP.ServerSentEvent(data: "x")]
            }
            func lastEventID() async throws -> String { "0" }
        }
        let events = try await HTTP.EventBroadcaster(Careless()).events(after: nil)

        await #expect(throws: HTTP.StreamingError.self) { try await Self.data(events) }
    }
}

/// A store that is held when it has read, or before it appends.
private struct HeldStore: HTTP.EventStore {
    let memory: HTTP.MemoryEventStore
    let gate = Gate("store")
    var holdsAppends = false

    func append(_ event: HTTP.ServerSentEvent) async throws -> String {
        if holdsAppends { try await gate.pass() }
        return try await memory.append(event)
    }

    func events(after id: String?, limit: Int) async throws -> [HTTP.ServerSentEvent] {
        let events = try await memory.events(after: id, limit: limit)
        if !holdsAppends { try await gate.pass() }
        return events
    }

    func lastEventID() async throws -> String { try await memory.lastEventID() }
}
