// What the guide Troubleshooting shows.
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitInspection
import InterceptorKitTransport

func watched(_ tokens: some CredentialSource) async throws {
    // snippet.watch
    let timeline = Timeline()
    let api = try HTTP.Client(transport: URLSessionTransport(), events: timeline) {
        RetryInterceptor(policy: .standard)
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    print(api)  // the chain as it is
    let response = try await api.send(.get("https://api.example.com/orders"))
    print(response.request ?? "nobody sent for it")  // as it was sent
    for attempt in response.attempts { print(attempt) }  // what was tried
    print(response.cacheStatus ?? "no cache was asked")
    try timeline.write(to: "calls.html")  // everything, as a page
    // snippet.end
}

func reasons(_ publisher: EventPublisher) async {
    // snippet.reasons
    let decisions: Set<Event.Name> = [.retryStopped, .cacheMiss, .cacheNotStored, .signatureBroken]
    for await event in publisher.subscribe() where decisions.contains(event.name) {
        print(event.name, event.attributes["reason"] ?? "")
    }
    // snippet.end
}
