// What the guide TimeoutsFallbackCoalescing shows.
import InterceptorKit
import InterceptorKitTransport

func bounded() throws -> HTTP.Client {
    // snippet.timeouts
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        TimeoutInterceptor(total: .seconds(30))
        RetryInterceptor(policy: .standard)
        TimeoutInterceptor(attempt: .seconds(10))
        BodyTimeoutInterceptor(idle: .seconds(20))
    }
    // snippet.end
    return api
}

func ofOneCall(_ api: HTTP.Client) async throws -> [HTTP.Response] {
    // snippet.bodies
    let changes = try await api.send(.get("/changes", query: ["feed": "continuous"])) { call in
        call.minimumBodyRate = 0
    }
    let report = try await api.send(.get("/reports/2026")) { call in
        call.totalBodyTimeout = .seconds(60)
    }
    // snippet.end
    return [changes, report]
}

func explained(_ api: HTTP.Client) async throws -> HTTP.Response? {
    // snippet.error
    do {
        return try await api.send(.get("/orders/7"))
    } catch let error as TimeoutError where error.code == .total {
        print(error)  // what took too long, and whose limit it was
        return nil
    }
    // snippet.end
}

actor PriceStore {
    var prices: [String: String] = [:]

    func last(for path: String) -> String? { prices[path] }
}

func withFallback(_ store: PriceStore) throws -> HTTP.Client {
    // snippet.fallback
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        FallbackInterceptor { outcome, _ in
            guard let text = await store.last(for: outcome.input.url.path) else { return nil }
            return HTTP.Response(200, body: .text(text))
        }
        TimeoutInterceptor(total: .seconds(3))
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}

func labelled(_ api: HTTP.Client) async throws -> String {
    // snippet.marked
    let response = try await api.send(.get("/prices"))
    let text = try await response.text()
    if let reason = response.fallbackReason { return "\(text) (as of yesterday: \(reason))" }
    // snippet.end
    return text
}

func sharing() throws -> HTTP.Client {
    // snippet.coalescing
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        CoalescingInterceptor(ignoring: ["X-Request-ID"])
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}

// snippet.generic
struct Quote: Interceptable {
    typealias Output = Double
    var symbol: String
}

let shared = CoalescingInterceptor<Quote> { CoalescingKey($0.symbol) }
// snippet.end
