import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private let durations: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(Int64.max), .seconds(Int64.min),
    .seconds(1e19),
    .seconds(-1e19), .seconds(1.7e20), .seconds(-1.7e20),
]

private let dates: [Date] = [
    .distantFuture, .distantPast, Date(timeIntervalSince1970: .infinity),
    Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: .nan),
    Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300),
]

private let numbers = [
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e999", "-1", "0",
    String(repeating: "9", count: 400), "Fri, 31 Dec 9999 23:59:59 GMT",
    "Mon, 01 Jan 0001 00:00:00 GMT",
]

private typealias Chain = [any Interceptor<HTTP.Request>]

/// What takes a duration, as the interceptor that has it.
private let settings: [(String, @Sendable (Duration) throws -> Chain)] = [
    ("RetryPolicy.backoff", { [retry(\.backoff, Backoff(base: $0))] }),
    ("RetryPolicy.backoff.cap", { [retry(\.backoff, Backoff(base: .seconds(1), cap: $0))] }),
    ("RetryPolicy.overloadBackoff", { [retry(\.overloadBackoff, Backoff(base: $0, cap: $0))] }),
    ("RetryPolicy.maxRetryAfter", { [retry(\.maxRetryAfter, $0)] }),
    ("RetryBudget.refillTime", { [retry(\.budget, RetryBudget(refillTime: $0))] }),
    (
        "HedgePolicy.delay",
        {
            var policy = HedgePolicy<HTTP.Request>.standard
            policy.delay = .fixed($0)
            return [HedgeInterceptor(policy: policy)]
        }
    ),
    ("TimeoutInterceptor(total:)", { [TimeoutInterceptor<HTTP.Request>(total: $0)] }),
    ("TimeoutInterceptor(attempt:)", { [TimeoutInterceptor<HTTP.Request>(attempt: $0)] }),
    ("BodyTimeoutInterceptor.idle", { [BodyTimeoutInterceptor(idle: $0)] }),
    ("BodyTimeoutInterceptor.total", { [BodyTimeoutInterceptor(total: $0)] }),
    ("CircuitBreakerPolicy.window", { [breaker(\.window, $0)] }),
    ("CircuitBreakerPolicy.slowCallDuration", { [breaker(\.slowCallDuration, $0)] }),
    ("CircuitBreakerPolicy.breakDuration", { [breaker(\.breakDuration, $0)] }),
    ("CircuitBreakerPolicy.maxBreakDuration", { [breaker(\.maxBreakDuration, $0)] }),
    ("CircuitBreakerPolicy.maxRetryAfter", { [breaker(\.maxRetryAfter, $0)] }),
    (
        "ConcurrencyLimitPolicy.maxWait",
        {
            var policy = ConcurrencyLimitPolicy.perAuthority
            policy.maxWait = $0
            return [ConcurrencyLimitInterceptor<HTTP.Request>(policy: policy)]
        }
    ),
    (
        "AdaptiveConcurrencyLimit.maxWait",
        {
            var limit = AdaptiveConcurrencyLimit()
            limit.maxWait = $0
            return [AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(limit)]
        }
    ),
    (
        "RateLimitPolicy.period",
        {
            let policy = RateLimitPolicy(calls: 1, per: $0)
            return [RateLimitInterceptor<HTTP.Request>(policy: policy)]
        }
    ),
    (
        "RateLimitPolicy.maxPause",
        {
            var policy = RateLimitPolicy.asAdvised
            policy.maxPause = $0
            policy.isOnePartition = true
            return [RateLimitInterceptor<HTTP.Request>(policy: policy)]
        }
    ),
    ("RefreshPolicy.backgroundMargin", { [token(\.backgroundMargin, $0)] }),
    ("RefreshPolicy.blockingMargin", { [token(\.blockingMargin, $0)] }),
    ("RefreshPolicy.waitLimit", { [token(\.waitLimit, $0)] }),
    ("RefreshPolicy.abandonAfter", { [token(\.abandonAfter, $0)] }),
    ("RefreshPolicy.window", { [token(\.window, $0)] }),
    ("CachePolicy.heuristicLimit", { [cache(\.heuristicLimit, $0)] }),
    ("CachePolicy.staleIfError", { [cache(\.staleIfError, $0)] }),
    ("CachePolicy.revalidationLimit", { [cache(\.revalidationLimit, $0)] }),
    ("CachePolicy.collapsingTimeout", { [cache(\.collapsingTimeout, $0)] }),
    ("StandardSettings.totalTimeout", { try standard(\.totalTimeout, $0) }),
    ("StandardSettings.attemptTimeout", { try standard(\.attemptTimeout, $0) }),
]

private func retry<V>(
    _ path: WritableKeyPath<RetryPolicy<HTTP.Request>, V>,
    _ value: V
) -> any Interceptor<HTTP.Request> {
    var policy = RetryPolicy<HTTP.Request>.standard
    policy[keyPath: path] = value
    return RetryInterceptor(policy: policy)
}

private func breaker<V>(
    _ path: WritableKeyPath<CircuitBreakerPolicy, V>,
    _ value: V
) -> any Interceptor<HTTP.Request> {
    var policy = CircuitBreakerPolicy()
    policy[keyPath: path] = value
    return CircuitBreakerInterceptor<HTTP.Request>(CircuitBreaker(policy: policy))
}

private func token(
    _ path: WritableKeyPath<RefreshPolicy, Duration>,
    _ value: Duration
) -> any Interceptor<HTTP.Request> {
    var policy = RefreshPolicy.standard
    policy[keyPath: path] = value
    return TokenInterceptor(
        source: FixedCredentialSource(.bearer("t")),
        origins: ["https://a.example"],
        policy: policy
    )
}

private func cache(
    _ path: WritableKeyPath<CachePolicy, Duration>,
    _ value: Duration
) -> any Interceptor<HTTP.Request> {
    var policy = CachePolicy()
    policy[keyPath: path] = value
    return CacheInterceptor(policy: policy, partition: .oneIdentity)
}

private func standard(
    _ path: WritableKeyPath<StandardSettings<HTTP.Request>, Duration?>,
    _ value: Duration
) throws -> Chain {
    var settings = StandardSettings<HTTP.Request>()
    settings.breaker = CircuitBreaker()
    settings.concurrencyLimit = .perAuthority
    settings[keyPath: path] = value
    _ = try HTTP.Client.standard(settings, transport: ScriptedTransport(replies: []))
    return []
}

/// What reads a number or a date of a server.
private let fields = [
    "Retry-After", "Date", "Age", "Expires", "Last-Modified", "Content-Length", "RateLimit",
    "RateLimit-Policy", "Set-Cookie", "Cache-Control", "Strict-Transport-Security", "Content-Range",
]

@Suite("Numbers, durations and dates at their extremes")
struct ExtremesTests {
    @Test("are refused with a reason, or used, and end no process")
    func all() async throws {
        var refusals: Set<String> = []
        for duration in durations {
            for (name, make) in settings {
                do {
                    try run(make(duration))
                } catch {
                    expectTrue("\(error)".utf8.count > 20, "\(name)")
                    refusals.insert(name)
                }
            }
            try calls(duration)
            try await sleep(duration)
        }
        expectEqual(refusals.count, settings.count)
        for date in dates {
            _ = HTTP.text(for: date)
            _ = HTTP.date("Sunday, 06-Nov-94 08:49:37 GMT", now: date)
            _ = try? Credential.bearer("t", expiresAt: date).validate()
        }
        for field in fields {
            for number in numbers { try answer(field, number) }
        }
        print(
            "extremes: \(settings.count + fields.count + 5) settings and fields at their extremes, "
                + "0 traps"
        )
    }

    private func run(_ chain: Chain) throws {
        let busy = HTTP.Response(503, headers: ["Retry-After": "1"])
        let pages = HTTP.Response(200, headers: ["Cache-Control": "max-age=1"], body: "x")
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.reply(busy), .reply(pages)])
            let client = try simulation.client(transport) { for stage in chain { stage } }
            for _ in 0..<2 { _ = try? await client.send(.get("https://a.example/")).text() }
        }
    }

    /// A call's own times, and a wait.
    private func calls(_ duration: Duration) throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])
            let client = try simulation.client(transport) { TimeoutInterceptor<HTTP.Request>() }
            _ = try? await client.send(.get("https://a.example/"), timeout: duration)
            _ = try? await client.send(.get("https://a.example/")) {
                $0.totalBodyTimeout = duration
                $0.bodyIdleTimeout = duration
            }
            let call = Call(runtime: simulation.runtime).withDeadline(within: duration)
            _ = call.remaining
            try await simulation.runtime.sleep(for: duration)
        }
    }

    /// A wait on the real clock, which is cancelled once it has begun.
    private func sleep(_ duration: Duration) async throws {
        let runtime = Runtime.live
        let sleeper = Task { try await runtime.sleep(for: duration) }
        for _ in 0..<100 { await Task.yield() }
        sleeper.cancel()
        _ = await sleeper.result
    }

    private func answer(_ field: String, _ number: String) throws {
        let forms = [
            number, "a=\(number)", "max-age=\(number)",
            "\"a\";r=1;t=\(number);q=\(number);w=\(number)",
        ]
        try Simulation.run { simulation in
            for form in forms + ["a=b; Max-Age=\(number)", "bytes 0-\(number)/\(number)"] {
                let response = HTTP.Response(429, headers: HTTP.Headers([(field, form)]), body: "x")
                let transport = ScriptedTransport<HTTP.Request> { _, _ in response }
                let client = try simulation.client(transport) {
                    CacheInterceptor(partition: .oneIdentity)
                    RetryInterceptor<HTTP.Request>(maxAttempts: 2)
                    CookieInterceptor()
                    RateLimitInterceptor<HTTP.Request>(policy: .asAdvised)
                }
                _ = try? await client.send(.get("https://a.example/")).text()
            }
        }
    }
}
