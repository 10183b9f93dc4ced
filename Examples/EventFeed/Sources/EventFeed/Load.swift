import InterceptorKit
import InterceptorKitCurl
import InterceptorKitStreaming

/// Clients that read a feed while events are published and the server is killed.
struct Load {
    /// What a client saw: the numbers of the events, in order, and how often it connected again.
    private struct Seen {
        var numbers: [Int] = []
        var reconnections = 0
    }

    private let client: HTTP.Client
    private let events: Int
    private let clients: Int

    init(_ origin: HTTP.Origin, events: Int, clients: Int) throws {
        self.events = events
        self.clients = clients
        client = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(10)) {
            BaseURLInterceptor("\(origin)")
        }
    }

    /// Runs until each client saw the end of the feed, and says whether each saw every event once, in order.
    func run() async throws -> Bool {
        try await withThrowingTaskGroup(of: Seen.self) { group in
            for _ in 0..<clients { group.addTask { try await read() } }
            let acknowledged = try await publish()
            var lost = 0
            var doubled = 0
            var reconnections = 0
            var isInOrder = true
            for try await seen in group {
                lost += acknowledged.subtracting(seen.numbers).count
                doubled += seen.numbers.count - Set(seen.numbers).count
                isInOrder = isInOrder && seen.numbers == seen.numbers.sorted()
                reconnections += seen.reconnections
            }
            print("\(acknowledged.count) \(clients) \(reconnections) \(lost) \(doubled)")
            return lost == 0 && doubled == 0 && isInOrder && acknowledged.count == events
        }
    }

    private func read() async throws -> Seen {
        var seen = Seen()
        var options = HTTP.EventSourceOptions()
        options.backoff = Backoff(base: .milliseconds(100), cap: .milliseconds(500))
        options.minimumInterval = .milliseconds(100)
        // So that an event which the server sends twice is seen twice.
        options.deduplicationWindow = 0
        for try await update in client.events(.get("/events"), options: options).updates {
            switch update {
            case .event(let event) where event.type == "end": return seen
            case .event(let event): if let number = Int(event.data) { seen.numbers.append(number) }
            case .willReconnect: seen.reconnections += 1
            case .ended(let error?): throw error
            case .opened, .comment, .ended: break
            }
        }
        return seen
    }

    /// Publishes numbers until so many are acknowledged, and then the end. A number that was not acknowledged
    /// may be in the feed or not, as with any request that failed, so it is not sent again.
    private func publish() async throws -> Set<Int> {
        var acknowledged: Set<Int> = []
        var number = 0
        while acknowledged.count < events {
            number += 1
            if await publish("\(number)", as: "message") {
                acknowledged.insert(number)
            } else {
                try await Runtime.live.sleep(for: .milliseconds(20))
            }
        }
        while await !publish("", as: "end") { try await Runtime.live.sleep(for: .seconds(1)) }
        return acknowledged
    }

    private func publish(_ data: String, as type: String) async -> Bool {
        let request = HTTP.Request.post("/publish?type=\(type)", body: .text(data))
        return (try? await client.send(request).text()).map { Int($0) != nil } ?? false
    }
}
