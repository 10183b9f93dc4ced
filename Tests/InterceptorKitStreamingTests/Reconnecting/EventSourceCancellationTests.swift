import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting
import Testing

@Suite("EventSource cancellation")
struct EventSourceCancellationTests {
    private let request: HTTP.Request = .get("https://a.example/feed")

    @Test("ends at once when its task is cancelled", arguments: [1, 20, 60.5, 62])
    func cancelled(after seconds: Double) throws {
        // Reading until 60 s, then waiting, then in a send.
        let feed = Feed(.events(.text("data: a\n\n"), .stall), .events(.stall))
        let (time, isCancelled) = try cancel(after: seconds, feed) { task, _ in task.cancel() }

        #expect(time == .seconds(seconds))
        #expect(isCancelled)
        #expect(feed.open == 0)
    }

    @Test("ends at once when all calls of the client are cancelled", arguments: [20, 60.5])
    func cancelAll(after seconds: Double) throws {
        let feed = Feed(.events(.text("data: a\n\n"), .stall), .events(.stall))
        let (time, isCancelled) = try cancel(after: seconds, feed) { _, client in
            client.cancelAll()
        }

        #expect(time == .seconds(seconds))
        #expect(isCancelled)
        #expect(feed.open == 0)
    }

    private func cancel(
        after seconds: Double,
        _ feed: Feed,
        _ cancel: @escaping @Sendable (Task<Void, any Error>, HTTP.Client) -> Void
    ) throws -> (Duration, Bool) {
        try Simulation.run(seed: 1) { simulation in
            let client = try HTTP.Client(transport: feed, runtime: simulation.runtime)
            let task = Task {
                for try await _ in client.events(request) {}
            }
            try await simulation.runtime.sleep(for: .seconds(seconds))
            cancel(task, client)
            let result = await task.result
            var isCancelled = false
            if case .failure(let error) = result { isCancelled = error is CancellationError }
            return (simulation.runtime.now.offset, isCancelled)
        }
    }
}
