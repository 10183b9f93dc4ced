// What the guide WatchCalls shows.
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTransport

func observed(_ journal: Journal) throws -> HTTP.Client {
    // snippet.observer
    let api = try HTTP.Client(
        transport: URLSessionTransport(),
        events: EventObserver { event in try await journal.append(event) }
    ) {
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}

func streamed() async throws {
    // snippet.stream
    let publisher = EventPublisher()
    let api = try HTTP.Client(transport: URLSessionTransport(), events: publisher) {
        RetryInterceptor(policy: .standard)
    }
    let reader = Task {
        for await event in publisher.subscribe() where event.name == .retryScheduled {
            print("tried again:", event.attributes["reason"] ?? "", "call", event.call)
        }
    }
    // snippet.end
    _ = try await api.send(.get("https://api.example.com/orders/7"))
    reader.cancel()
}

func longWaits(_ event: Event) {
    // snippet.value
    if case .duration(let delay)? = event.attributes["delay"], delay > .seconds(1) {
        print("waits for \(delay)")
    }
    // snippet.end
}

func drawn() async throws {
    // snippet.timeline
    let timeline = Timeline()
    let api = try HTTP.Client(transport: URLSessionTransport(), events: timeline) {
        RetryInterceptor(policy: .standard)
    }
    _ = try await api.send(.get("https://api.example.com/orders/7"))
    try timeline.write(to: "calls.html", title: "Orders")
    // snippet.end
}

// snippet.own
struct SeatInterceptor: Interceptor {
    let seats: Seats

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        try await chain.call.activity(.wait, "a free seat") { _ in
            try await seats.take()
        }
        chain.call.emit("seat.taken")
        return try await chain.proceed()
    }
}
// snippet.end

actor Seats {
    func take() async throws {}
}

actor Journal {
    private var events: [Event] = []

    func append(_ event: Event) throws { events.append(event) }
}

func archived(_ transport: some Transport<HTTP.Request>) async throws {
    // snippet.archive
    let recorder = HARRecorder()
    let api = try HTTP.Client(transport: transport, events: recorder) {
        RetryInterceptor(policy: .standard)
        recorder  // below the retry, so that each attempt is an entry
    }
    _ = try await api.send(.get("https://api.example.com/orders/7"))
    try recorder.write(to: "session.har")
    // snippet.end
}

func page(_ transport: some Transport<HTTP.Request>) async throws {
    // snippet.page
    let timeline = Timeline()
    let api = try HTTP.Client(transport: transport, events: timeline) {
        RetryInterceptor(policy: .standard)
    }
    _ = try await api.send(.get("https://api.example.com/orders/7"))
    try timeline.write(to: "calls.html")
    // snippet.end
}
