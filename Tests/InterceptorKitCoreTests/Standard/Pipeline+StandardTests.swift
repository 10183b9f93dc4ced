import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("The standard pipeline")
struct StandardPipelineTests {
    private static let transport = ScriptedTransport<HTTP.Request>(replies: [])

    @Test("has the standard order, by default and with every strategy")
    func order() throws {
        let plain = try Pipeline.standard(transport: Self.transport)
        var settings = StandardSettings<HTTP.Request>()
        settings.fallback = { _, _ in nil }
        settings.concurrencyLimit = .safetyNet
        settings.breaker = CircuitBreaker()
        settings.coalescing = CoalescingInterceptor()
        settings.rateLimit = RateLimitPolicy(calls: 100)
        settings.adaptiveLimit = AdaptiveConcurrencyLimit()
        // In no order at all.
        let whole = try HTTP.Client.standard(settings, transport: Self.transport) {
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
            CookieInterceptor()
            AnyInterceptor<HTTP.Request>("trace") { try await $0.proceed() }
            TokenInterceptor(
                source: FixedCredentialSource(.bearer("t")),
                origins: ["https://api.example.com"]
            )
            BaseURLInterceptor("https://api.example.com")
            ErrorFilterInterceptor()
        }

        expectEqual(
            plain.description,
            """
            input ↓                                   ↑ output
              │ TimeoutInterceptor(total: 30 s) · total timeout
              │ RetryInterceptor · retry
              │ TimeoutInterceptor(attempt: 10 s) · attempt timeout
              ═ ScriptedTransport
            """
        )
        expectEqual(
            whole.description,
            """
            input ↓                                   ↑ output
              │ FallbackInterceptor · fallback
              │ ErrorFilterInterceptor · error filter
              │ TimeoutInterceptor(total: 30 s) · total timeout
              │ ConcurrencyLimitInterceptor · concurrency limit
              │ BaseURLInterceptor · request preparation
              │ CoalescingInterceptor · coalescing
              │ RedirectInterceptor · redirect
              │ RetryInterceptor · retry
              │ TokenInterceptor · token
              │ CircuitBreakerInterceptor · circuit breaker
              │ RateLimitInterceptor · rate limit
              │ AdaptiveConcurrencyLimitInterceptor · rate limit
              │ TimeoutInterceptor(attempt: 10 s) · attempt timeout
              │ BodyTimeoutInterceptor(idle: 60 s) · attempt timeout
              │ CookieInterceptor · cookies
              │ trace
              │ SignInterceptor · signing
              ═ ScriptedTransport
            """
        )
    }

    @Test("omits a strategy that is nil, or all of them")
    func empty() throws {
        var settings = StandardSettings<HTTP.Request>()
        settings.totalTimeout = nil
        settings.retry = nil
        settings.attemptTimeout = nil

        let client = try HTTP.Client.standard(
            settings,
            transport: Self.transport,
            redirects: nil,
            bodyTimeout: nil
        )

        expectEqual(client.pipeline.descriptor.names, [])
    }

    @Test("has a hedge in the retry's place")
    func hedge() throws {
        var settings = StandardSettings<HTTP.Request>()
        settings.retry = nil
        settings.hedge = .standard

        let names = try Pipeline.standard(settings, transport: Self.transport).descriptor.names

        expectEqual(names[1], "HedgeInterceptor")
    }

    @Test("works for any input")
    func generic() async throws {
        let count = Recorder<Int>()
        let transport = Echo<Int> { input, call in
            count.note(call.attempt)
            if call.attempt < 3 { throw Problem() }
            return input * 2
        }
        let output = try await onEverySeed(0..<20) { simulation in
            try await Pipeline.standard(transport: transport, runtime: simulation.runtime).run(21)
        }

        expectEqual(output, 42)
        expectEqual(count.entries.max(), 3)
    }

    @Test("is served as soon as a server takes connections again, and sends few")
    func outage() async throws {
        let (isPrompt, sends) = try await onEverySeed(0..<20) { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                guard call.runtime.now.offset < .seconds(10) else { return HTTP.Response(200) }
                throw TransportError(.cannotConnect, "Refused.", isUnsent: true)
            }
            let client = try HTTP.Client.standard(transport: transport, runtime: runtime)
            let succeeded = Recorder<Duration>()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    try? await runtime.sleep(for: .milliseconds(100))
                    group.addTask {
                        guard (try? await client.send(.get(orders))) != nil else { return }
                        succeeded.note(runtime.now.offset)
                    }
                }
            }
            let first = succeeded.entries.min() ?? .zero
            // A plain client sends each call once, and is served with the first after the outage.
            return (
                first <= .milliseconds(10_100) && succeeded.entries.count >= 100,
                transport.sent.count <= 210
            )
        }

        expectTrue(isPrompt)
        expectTrue(sends)
    }
}
