import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitStreaming
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Subscribers that break off and resume")
struct EventBroadcasterPropertyTests {
    /// A store that takes its time, as one on a disk does.
    private struct SlowStore: HTTP.EventStore {
        let memory: HTTP.MemoryEventStore
        let runtime: Runtime

        func append(_ event: HTTP.ServerSentEvent) async throws -> String {
            try await pause()
            let id = try await memory.append(event)
            try await pause()
            return id
        }

        func events(after id: String?, limit: Int) async throws -> [HTTP.ServerSentEvent] {
            try await pause()
            let events = try await memory.events(after: id, limit: min(limit, 3))
            try await pause()
            return events
        }

        func lastEventID() async throws -> String { try await memory.lastEventID() }

        private func pause() async throws {
            let wait = runtime.randomFraction()
            if wait > 0.5 { try await runtime.sleep(for: .milliseconds(Int(wait * 20))) }
        }
    }

    private static let publishers = 3
    private static let each = 20

    private static func broadcaster(_ simulation: Simulation) -> HTTP.EventBroadcaster {
        let memory = HTTP.MemoryEventStore(capacity: 1000, runtime: simulation.runtime)
        let store = SlowStore(memory: memory, runtime: simulation.runtime)
        return HTTP.EventBroadcaster(store, runtime: simulation.runtime)
    }

    /// Publishes from several tasks, and finishes.
    private static func publishAll(
        to broadcaster: HTTP.EventBroadcaster,
        _ runtime: Runtime
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for publisher in 0..<publishers {
                group.addTask {
                    for number in 0..<each {
                        let event = HTTP.ServerSentEvent(data: "\(publisher)-\(number)")
                        try await broadcaster.publish(event)
                        if runtime.random() % 4 == 0 {
                            try await runtime.sleep(for: .milliseconds(Int(runtime.random() % 50)))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        broadcaster.finish()
    }

    /// Reads all events, with breaks: leaves the loop, or is cancelled, and comes back after a while.
    private static func subscribe(
        to broadcaster: HTTP.EventBroadcaster,
        _ simulation: Simulation
    ) async throws -> [String] {
        let runtime = simulation.runtime
        let seen = Recorder<HTTP.ServerSentEvent>()
        var isOver = false
        while !isOver {
            let count = Int(runtime.random() % 10)
            let last = seen.entries.last?.id
            let connection = Task.child(in: simulation) {
                var left = count
                let events = try await broadcaster.events(after: last, beginning: .oldest)
                for try await event in events {
                    seen.note(event)
                    if left == 0 { return false }
                    left -= 1
                }
                return true
            }
            let cutting = Task.child(in: simulation) {
                try await runtime.sleep(for: .milliseconds(Int(runtime.random() % 100)))
                connection.cancel()
            }
            do { isOver = try await connection.value } catch is CancellationError {}
            cutting.cancel()
            _ = await cutting.result
            try await runtime.sleep(for: .milliseconds(Int(runtime.random() % 30)))
        }
        return seen.entries.map(\.data)
    }

    @Test("loses no event and doubles none, and all see the same order")
    func exactlyOnce() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let publishing = Task.child(in: simulation) {
                try await Self.publishAll(to: broadcaster, simulation.runtime)
            }
            let reading = (0..<4).map { _ in
                Task.child(in: simulation) { try await Self.subscribe(to: broadcaster, simulation) }
            }
            var seen: [[String]] = []
            for task in reading { seen.append(try await task.value) }
            try await publishing.value
            let stored = try await broadcaster.store.allData

            try requireEqual(stored.count, Self.publishers * Self.each)
            try requireEqual(Set(stored).count, stored.count)
            for data in seen { try requireEqual(data, stored) }
            try requireEqual(broadcaster.subscriberCount, 0)
        }
    }

    @Test("brings a client every event once, over connections that break anywhere")
    func overConnections() async throws {
        try await onEverySeed { simulation in
            let broadcaster = Self.broadcaster(simulation)
            let client = try HTTP.Client(
                transport: BreakingTransport(broadcaster: broadcaster),
                runtime: simulation.runtime
            ) {}
            let publishing = Task.child(in: simulation) {
                try await Self.publishAll(to: broadcaster, simulation.runtime)
            }
            var options = HTTP.EventSourceOptions()
            // So that the client hides no event that is sent twice.
            options.deduplicationWindow = 0
            let feed = client.events(.get("https://api.example.com/feed"), options: options)
            var seen: [String] = []
            for try await event in feed {
                seen.append(event.data)
            }
            try await publishing.value
            let stored = try await broadcaster.store.allData

            try requireEqual(seen, stored)
            try requireEqual(stored.count, Self.publishers * Self.each)
        }
    }

    /// A server whose connections break after some bytes, and that says 204 when there is nothing more.
    private struct BreakingTransport: Transport {
        let broadcaster: HTTP.EventBroadcaster

        func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
            let id = input.headers["Last-Event-ID"]
            if let id, broadcaster.isFinished,
                try await broadcaster.store.events(after: id, limit: 1).isEmpty
            {
                return HTTP.Response(204)
            }
            let events = try await broadcaster.events(after: id, beginning: .oldest)
            var response = HTTP.Response.eventStream(
                events,
                retry: .milliseconds(10),
                heartbeat: .milliseconds(20),
                runtime: call.runtime
            )
            let limit = Int(call.runtime.random() % 400)
            response.body = .oneShot(CutBody(body: response.body, limit: limit))
            return response
        }
    }

    /// The first bytes of a body, and then a broken connection.
    private struct CutBody: AsyncSequence, Sendable {
        typealias Element = Data

        let body: HTTP.Body
        let limit: Int

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: HTTP.Body.AsyncIterator
            var left: Int

            mutating func next() async throws -> Data? {
                guard left > 0 else {
                    throw TransportError(.connectionLost, "The connection broke.")
                }
                guard let chunk = try await chunks.next() else { return nil }
                defer { left -= chunk.count }
                return chunk.prefix(left)
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(chunks: body.makeAsyncIterator(), left: limit)
        }
    }
}

extension HTTP.EventStore {
    fileprivate var allData: [String] {
        get async throws {
            var events: [HTTP.ServerSentEvent] = []
            while true {
                let more = try await self.events(after: events.last?.id, limit: 100)
                if more.isEmpty { return events.map(\.data) }
                events += more
            }
        }
    }
}
