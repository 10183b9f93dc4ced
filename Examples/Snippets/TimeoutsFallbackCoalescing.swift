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

// snippet.generic
struct Quote: Interceptable {
    typealias Output = Double
    var symbol: String
}

let shared = CoalescingInterceptor<Quote> { CoalescingKey($0.symbol) }
// snippet.end
