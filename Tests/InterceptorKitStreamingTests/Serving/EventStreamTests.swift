import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitStreaming
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP.Body.eventStream")
struct EventStreamTests {
    /// Reads a body to its end, and says when each chunk came, in seconds.
    private static func read(
        _ body: HTTP.Body,
        _ simulation: Simulation
    ) async throws -> [String] {
        var chunks: [String] = []
        for try await chunk in body {
            let text = String(decoding: chunk, as: UTF8.self).replacing("\n", with: "|")
            chunks.append("\(simulation.now.offset.components.seconds) \(text)")
        }
        return chunks
    }

    @Test("sends events as they come, and comments in silences")
    func heartbeats() async throws {
        let (chunks, asked) = try await onEverySeed { simulation in
            let events = PacedEvents([.zero, .seconds(40), .seconds(14), .seconds(14)], simulation)
            let body = HTTP.Body.eventStream(events, runtime: simulation.runtime)

            let chunks = try await Self.read(body, simulation)
            try await simulation.runtime.sleep(for: .seconds(1))
            try requireEqual(body.isOpen, false)
            try require(!simulation.leaks.contains { $0.contains("elements of a body") })
            return (chunks, events.asked)
        }

        expectEqual(
            chunks,
            [
                "0 data: 0||", "15 :||", "30 :||", "40 data: 1||", "54 data: 2||", "68 data: 3||",
            ]
        )
        expectEqual(asked, 5)
    }

    @Test("sends the time to wait first, and no comment without a heartbeat")
    func quiet() async throws {
        let chunks = try await onEverySeed { simulation in
            let events = PacedEvents([.seconds(100)], simulation)
            let body = HTTP.Body.eventStream(
                events,
                retry: .seconds(2),
                heartbeat: nil,
                runtime: simulation.runtime
            )

            return try await Self.read(body, simulation)
        }

        expectEqual(chunks, ["0 retry: 2000||", "100 data: 0||"])
    }

    @Test("asks for no event that is not wanted, also while its reader is slow")
    func backPressure() async throws {
        try await onEverySeed { simulation in
            let events = PacedEvents(Array(repeating: .zero, count: 10), simulation)
            let body = HTTP.Body.eventStream(events, runtime: simulation.runtime)
            var chunks = body.makeAsyncIterator()
            try await simulation.runtime.sleep(for: .seconds(1))
            let unread = events.asked
            var asked: [Int] = []
            for _ in 0..<3 {
                let chunk = try await unwrap(chunks.next())
                try requireEqual(chunk.first, UInt8(ascii: "d"))
                try await simulation.runtime.sleep(for: .seconds(100))
                asked.append(events.asked)
            }

            try requireEqual(unread, 0)
            try requireEqual(asked, [1, 2, 3])
        }
    }

    @Test("ends at once when it is cancelled in a silence")
    func cancelled() async throws {
        try await onEverySeed { simulation in
            let events = PacedEvents([.seconds(1000)], simulation)
            let body = HTTP.Body.eventStream(
                events,
                heartbeat: nil,
                runtime: simulation.runtime
            )
            let reading = Task.child(in: simulation) { try await Self.read(body, simulation) }
            try await simulation.runtime.sleep(for: .seconds(5))
            body.cancel()

            await #expect(throws: CancellationError.self) { try await reading.value }
            try requireEqual(simulation.now.offset, .seconds(5))
            try await simulation.runtime.sleep(for: .seconds(1))
            try requireEqual(events.cancels, 1)
        }
    }

    @Test("ends at once when its reader is cancelled, and when it is dropped")
    func dropped() async throws {
        try await onEverySeed { simulation in
            let events = PacedEvents([.zero, .seconds(1000)], simulation)
            let reading = Task.child(in: simulation) {
                let body = HTTP.Body.eventStream(events, runtime: simulation.runtime)
                return try await Self.read(body, simulation)
            }
            try await simulation.runtime.sleep(for: .seconds(5))
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            let others = PacedEvents([.zero, .seconds(1000)], simulation)
            for try await _ in HTTP.Body.eventStream(others, runtime: simulation.runtime) { break }

            try requireEqual(simulation.now.offset, .seconds(5))
            try await simulation.runtime.sleep(for: .seconds(1))
            try requireEqual(events.cancels, 1)
        }
    }

    @Test("gives nothing out after it was cancelled, not even what it had")
    func cancelledBefore() async throws {
        try await onEverySeed(0..<10) { simulation in
            let events = PacedEvents([.zero], simulation)
            let body = HTTP.Body.eventStream(
                events,
                retry: .seconds(1),
                runtime: simulation.runtime
            )
            body.cancel()

            let chunks = Recorder<Data>()
            await #expect(throws: CancellationError.self) {
                for try await chunk in body { chunks.note(chunk) }
            }
            try require(chunks.entries.isEmpty)
            try requireEqual(events.asked, 0)
        }
    }

    @Test("leaves nothing running when it was looked into and dropped")
    func lookedInto() async throws {
        try await onEverySeed(0..<10) { simulation in
            let events = PacedEvents([.zero, .seconds(1000)], simulation)
            let beginning = try await HTTP.Body.eventStream(events, runtime: simulation.runtime)
                .peek(upTo: 1)

            try requireEqual(beginning, Data("data: 0\n\n".utf8))
        }
    }

    @Test("breaks off with the error of the sequence, and of an event")
    func failing() async throws {
        try await onEverySeed { simulation in
            let failing = PacedEvents([.zero, .seconds(1)], simulation, failure: Problem())
            let body = HTTP.Body.eventStream(failing, runtime: simulation.runtime)
            await #expect(throws: Problem.self) { try await Self.read(body, simulation) }
            let bad = AsyncStream { continuation in
                continuation.yield(HTTP.ServerSentEvent(data: "x", id: "\n"))
            }
            let badBody = HTTP.Body.eventStream(bad, runtime: simulation.runtime)
            let error = await #expect(throws: HTTP.StreamingError.self) {
                try await Self.read(badBody, simulation)
            }

            try requireEqual(error?.code, .invalidEvent)
        }
    }

    @Test("stands in a response that nothing caches or buffers")
    func response() async throws {
        try await onEverySeed(0..<10) { simulation in
            let events = PacedEvents([.zero, .seconds(20)], simulation)
            let response = HTTP.Response.eventStream(events, runtime: simulation.runtime)
            var data: [String] = []
            for try await event in response.events() { data.append(event.data) }

            try requireEqual(data, ["0", "1"])
            try requireEqual(response.status, 200)
            try requireEqual(response.headers["Cache-Control"], "no-cache")
            try requireEqual(response.headers["X-Accel-Buffering"], "no")
        }
    }
}

/// Events, each after a pause.
private final class PacedEvents: AsyncSequence, Sendable {
    typealias Element = HTTP.ServerSentEvent

    private let pauses: [Duration]
    private let runtime: Runtime
    private let failure: Problem?
    private let counts = Lock((asked: 0, cancels: 0))

    init(_ pauses: [Duration], _ simulation: Simulation, failure: Problem? = nil) {
        self.pauses = pauses
        self.failure = failure
        runtime = simulation.runtime
    }

    var asked: Int { counts.withLock(\.asked) }
    var cancels: Int { counts.withLock(\.cancels) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let events: PacedEvents
        var index = 0

        mutating func next() async throws -> HTTP.ServerSentEvent? {
            events.counts.withLock { $0.asked += 1 }
            guard index < events.pauses.count else {
                if let failure = events.failure { throw failure }
                return nil
            }
            defer { index += 1 }
            do {
                try await events.runtime.sleep(for: events.pauses[index])
            } catch {
                events.counts.withLock { $0.cancels += 1 }
                throw error
            }
            return HTTP.ServerSentEvent(data: "\(index)")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }
}
