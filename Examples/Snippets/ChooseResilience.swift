// What the guide ChooseResilience shows.
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func start() throws -> HTTP.Client {
    // snippet.start
    let api = try HTTP.Client.standard(transport: URLSessionTransport())
    // snippet.end
    return api
}

func page(_ stored: @escaping @Sendable (HTTP.URL) -> Data?) throws -> HTTP.Client {
    // snippet.page
    var settings = StandardSettings<HTTP.Request>()
    settings.totalTimeout = .seconds(2)
    settings.attemptTimeout = .milliseconds(800)
    settings.retry = nil
    settings.hedge = .standard
    settings.hedge?.delay = .fixed(.milliseconds(300))
    settings.coalescing = CoalescingInterceptor()
    settings.fallback = { outcome, _ in
        stored(outcome.input.url).map { HTTP.Response(200, body: .bytes($0)) }
    }
    let api = try HTTP.Client.standard(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}

func orders() throws -> HTTP.Client {
    // snippet.orders
    var settings = StandardSettings<HTTP.Request>()
    settings.retry?.maxAttempts = 2
    let api = try HTTP.Client.standard(settings, transport: URLSessionTransport()) {
        IdempotencyKeyInterceptor()
    }
    // snippet.end
    return api
}

func jobs() throws -> HTTP.Client {
    // snippet.jobs
    var settings = StandardSettings<HTTP.Request>()
    settings.totalTimeout = .seconds(300)
    settings.attemptTimeout = .seconds(30)
    settings.retry = .aggressive
    settings.retry?.maxRetryAfter = .seconds(120)
    settings.concurrencyLimit = .perAuthority
    settings.rateLimit = RateLimitPolicy(calls: 50)
    let api = try HTTP.Client.standard(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}
