import Expectations
import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import Testing

@Suite("EventSource cancellation")
struct EventSourceCancellationTests {
    /// What a source is at when it is cancelled, 5 s after its beginning.
    enum Phase: CaseIterable {
        case sending
        case readingFirst
        case reading
        case readingRefusal
        case readingFinalRefusal
        case waiting
        case sendingAgain

        var feed: Feed {
            switch self {
            case .sending: Feed(Feed.Reply(headDelay: .seconds(10)))
            case .readingFirst: Feed(.events(.stall))
            case .reading: Feed(.events(.text("data: a\n\n"), .stall))
            case .readingRefusal: Self.refusal(503)
            case .readingFinalRefusal: Self.refusal(404)
            case .waiting: Feed(.text("retry: 10000\n\ndata: a\n\n"))
            case .sendingAgain:
                Feed(.text("retry: 1000\n\ndata: a\n\n"), Feed.Reply(headDelay: .seconds(10)))
            }
        }

        private static func refusal(_ status: HTTP.Status) -> Feed {
            Feed(
                Feed.Reply(status: status, pieces: [.stall], headDelay: .milliseconds(4500))
            )
        }

        var requests: Int { self == .sendingAgain ? 2 : 1 }
    }

    private let request: HTTP.Request = .get("https://a.example/feed")

    @Test("ends at once when its task is cancelled", arguments: Phase.allCases)
    func cancelled(phase: Phase) throws {
        let feed = phase.feed
        let (time, isCancelled) = try cancel(feed) { task, _ in task.cancel() }

        expectEqual(time, .seconds(5))
        expectTrue(isCancelled)
        expectTrue(feed.requests.count == phase.requests && feed.open == 0)
    }

    @Test("ends at once when all calls of the client are cancelled", arguments: Phase.allCases)
    func cancelAll(phase: Phase) throws {
        let feed = phase.feed
        let (time, isCancelled) = try cancel(feed) { _, client in client.cancelAll() }

        expectEqual(time, .seconds(5))
        expectTrue(isCancelled)
        expectTrue(feed.requests.count == phase.requests && feed.open == 0)
    }

    @Test("ends a body at once that is read when all calls are cancelled")
    func bodies() throws {
        let request = request
        // Nobody holds the response.
        let reads: [@Sendable (HTTP.Client) async throws -> Void] = [
            { for try await _ in try await $0.send(request).body.lines {} },
            { for try await _ in try await $0.send(request).body {} },
            { for try await _ in try await $0.send(request).events() {} },
        ]
        for read in reads {
            let feed = Phase.reading.feed
            let (time, open, isCancelled) = try Simulation.run(seed: 1) { simulation in
                let client = HTTP.Client(transport: feed, runtime: simulation.runtime)
                let task = Task { try await read(client) }
                try await simulation.runtime.sleep(for: .seconds(5))
                let open = client.openBodies
                client.cancelAll()
                let result = await task.result
                var isCancelled = false
                if case .failure(let error) = result { isCancelled = error is CancellationError }
                return (simulation.runtime.now.offset, open, isCancelled)
            }

            expectTrue(time == .seconds(5) && isCancelled)
            expectTrue(open == 1 && feed.open == 0)
        }
    }

    private func cancel(
        _ feed: Feed,
        _ cancel: @escaping @Sendable (Task<Void, any Error>, HTTP.Client) -> Void
    ) throws -> (Duration, Bool) {
        try Simulation.run(seed: 1) { simulation in
            let client = HTTP.Client(transport: feed, runtime: simulation.runtime)
            let task = Task {
                for try await _ in client.events(request) {}
            }
            try await simulation.runtime.sleep(for: .seconds(5))
            cancel(task, client)
            let result = await task.result
            var isCancelled = false
            if case .failure(let error) = result { isCancelled = error is CancellationError }
            try requireNoLeaks(in: client)
            return (simulation.runtime.now.offset, isCancelled)
        }
    }
}
