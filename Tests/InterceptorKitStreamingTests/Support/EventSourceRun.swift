import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

/// What an event source comes to over a feed, in virtual time.
struct EventSourceRun: Sendable {
    var updates: [HTTP.EventSource.Update] = []
    var error: (any Error)?
    var requests: [HTTP.Request] = []
    var times: [Duration] = []
    var end: Duration = .zero
    var open = 0

    var events: [HTTP.ServerSentEvent] {
        updates.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
    var data: [String] { events.map(\.data) }
    var lastEventIDs: [String?] { requests.map { $0.headers["Last-Event-ID"] } }
    /// The waits before the second connection and those after it.
    var waits: [Duration] {
        updates.compactMap { if case .willReconnect(let wait, _) = $0 { wait } else { nil } }
    }
    /// Why each connection ended.
    var reasons: [any Error] {
        updates.compactMap { if case .willReconnect(_, let reason) = $0 { reason } else { nil } }
    }
    /// Whether the last update is the end.
    var hasEnded: Bool { if case .ended = updates.last { true } else { false } }
    /// The error that the end has.
    var ending: (any Error)? {
        if case .ended(let error) = updates.last { error } else { nil }
    }

    /// Reads updates until the end, or so many events.
    init(
        _ feed: Feed,
        _ request: HTTP.Request = .get("https://a.example/feed"),
        _ options: HTTP.EventSourceOptions = HTTP.EventSourceOptions(),
        upTo count: Int = .max,
        seed: UInt64 = 1,
        interceptors: [any Interceptor<HTTP.Request>] = []
    ) throws {
        self = try Simulation.run(seed: seed) { simulation in
            let client = try HTTP.Client(
                interceptors,
                transport: feed,
                runtime: simulation.runtime
            )
            var run = EventSourceRun()
            do {
                for try await update in client.events(request, options: options).updates {
                    run.updates.append(update)
                    if run.events.count == count { break }
                }
            } catch {
                run.error = error
            }
            run.requests = feed.requests
            run.times = feed.times
            run.end = simulation.runtime.now.offset
            run.open = feed.open
            try requireNoLeaks(in: client)
            return run
        }
    }

    private init() {}
}
