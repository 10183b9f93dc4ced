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
        settings.coalescing = CoalescingInterceptor()
        settings.rateLimit = RateLimitPolicy(calls: 100)
        settings.throttle = AdaptiveThrottlePolicy()
        // In no order at all.
        let whole = try HTTP.Client.standard(transport: Self.transport, settings) {
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
            CookieInterceptor()
            AnyInterceptor<HTTP.Request>("trace") { try await $0.proceed() }
            TokenInterceptor(
                source: FixedCredential(.bearer("t")),
                origins: ["https://api.example.com"]
            )
            BaseURLInterceptor("https://api.example.com")
            ErrorFilterInterceptor()
        }

        #expect(
            plain.description == """
                input ↓                                   ↑ output
                  │ TimeoutInterceptor(total: 30 s) · total timeout
                  │ ConcurrencyLimitInterceptor · concurrency limit
                  │ RetryInterceptor · retry
                  │ CircuitBreakerInterceptor · circuit breaker
                  │ TimeoutInterceptor(attempt: 10 s) · attempt timeout
                  ═ ScriptedTransport
                """
        )
        #expect(
            whole.description == """
                input ↓                                   ↑ output
                  │ FallbackInterceptor · fallback
                  │ ErrorFilterInterceptor · error filter
                  │ TimeoutInterceptor(total: 30 s) · total timeout
                  │ ConcurrencyLimitInterceptor · concurrency limit
                  │ BaseURLInterceptor · request shaping
                  │ CoalescingInterceptor · coalescing
                  │ RedirectInterceptor · redirect
                  │ RetryInterceptor · retry
                  │ TokenInterceptor · token
                  │ CircuitBreakerInterceptor · circuit breaker
                  │ RateLimitInterceptor · rate limit
                  │ AdaptiveThrottleInterceptor · rate limit
                  │ TimeoutInterceptor(attempt: 10 s) · attempt timeout
                  │ BodyTimeoutInterceptor(idle: 20 s, minimumRate: 240 bytes/s) · attempt timeout
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
        settings.concurrencyLimit = nil
        settings.retry = nil
        settings.breaker = nil
        settings.attemptTimeout = nil

        let client = try HTTP.Client.standard(
            transport: Self.transport,
            settings,
            redirects: nil,
            bodyTimeout: nil
        )

        #expect(client.pipeline.outline.names == [])
    }

    @Test("has a hedge in the retry's place")
    func hedge() throws {
        var settings = StandardSettings<HTTP.Request>()
        settings.retry = nil
        settings.hedge = .standard

        let names = try Pipeline.standard(transport: Self.transport, settings).outline.names

        #expect(names[2] == "HedgeInterceptor")
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

        #expect(output == 42)
        #expect(count.entries.max() == 3)
    }

    @Test(
        "refuses conflicting settings, with an explanation",
        arguments: [
            SettingsRefusal(
                "both a retry and a hedge",
                "would multiply. Set retry or hedge to nil."
            ) {
                $0.hedge = .standard
            },
            SettingsRefusal(
                "totalTimeout is 5 s and attemptTimeout 10 s",
                "be at least attemptTimeout."
            ) {
                $0.totalTimeout = .seconds(5)
            },
            SettingsRefusal(
                "window is 19 s and attemptTimeout 10 s",
                "at least twice attemptTimeout."
            ) {
                var policy = CircuitBreakerPolicy()
                policy.window = .seconds(19)
                $0.breaker = CircuitBreaker(policy: policy)
            },
            SettingsRefusal("slow from 10 s on", "none would ever be slow.") {
                var policy = CircuitBreakerPolicy()
                policy.slowCallDuration = .seconds(10)
                $0.breaker = CircuitBreaker(policy: policy)
            },
            SettingsRefusal("The hedge's delay is 10 s", "be less than attemptTimeout.") {
                $0.retry = nil
                $0.hedge = .standard
                $0.hedge?.delay = .fixed(.seconds(10))
            },
            SettingsRefusal("may wait 30 s for a permit", "be less than totalTimeout.") {
                $0.concurrencyLimit?.queueLimit = 10
                $0.concurrencyLimit?.maxWait = .seconds(30)
            },
            SettingsRefusal("TimeoutInterceptor.attempt is 0 s", "more than zero") {
                $0.attemptTimeout = .zero
            },
        ]
    )
    func refusals(_ refusal: SettingsRefusal) {
        var settings = StandardSettings<HTTP.Request>()
        refusal.change(&settings)

        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client.standard(transport: Self.transport, settings)
        }

        #expect(error?.code == .invalidSetting)
        for part in refusal.parts {
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        #expect(error?.message.hasSuffix(".") == true)
    }

    @Test("accepts settings at their limits")
    func edges() throws {
        var settings = StandardSettings<HTTP.Request>()
        settings.totalTimeout = .seconds(10)
        var policy = CircuitBreakerPolicy()
        policy.window = .seconds(20)
        policy.slowCallDuration = .milliseconds(9_999)
        settings.breaker = CircuitBreaker(policy: policy)

        #expect(throws: Never.self) {
            try HTTP.Client.standard(transport: Self.transport, settings)
        }
    }

    @Test("refuses a second retry, because the two would multiply")
    func secondRetry() {
        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client.standard(transport: Self.transport) {
                RetryInterceptor(policy: .standard)
            }
        }

        #expect(error?.code == .repeated)
        #expect(error?.message.contains("their attempts would multiply") == true)
    }

    @Test("retries failures, and rejects a call once the breaker has opened")
    func behaviour() async throws {
        let (statuses, opened, sends) = try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.url.path == "/up" ? 200 : 500)
            }
            var settings = StandardSettings<HTTP.Request>()
            settings.retry?.budget = nil
            // So that a break, of four seconds at least, outlasts every call.
            settings.totalTimeout = .seconds(3)
            settings.attemptTimeout = .seconds(1)
            let client = try HTTP.Client.standard(
                transport: transport,
                settings,
                runtime: simulation.runtime
            )
            let up = try await client.send(.get("https://api.example.com/up")).status
            var last = up
            for _ in 0..<6 { last = try await client.send(.get(orders)).status }
            let error = await #expect(throws: CircuitBreakerError.self) {
                for _ in 0..<6 { _ = try await client.send(.get(orders)) }
            }
            return ([up, last], error?.code, transport.sent.count)
        }

        #expect(statuses == [200, 500])
        #expect(opened == .open)
        #expect(sends == 20)
    }

    @Test("lets a call have longer timeouts than its settings")
    func callsOwnTime() async throws {
        let elapsed = try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(50))
                return HTTP.Response(200)
            }
            let client = try HTTP.Client.standard(
                transport: transport,
                runtime: simulation.runtime
            )
            _ = try await client.send(.get(orders)) { call in
                call.totalTimeout = .seconds(60)
                call.attemptTimeout = .seconds(55)
            }
            return simulation.now.offset
        }

        #expect(elapsed == .seconds(50))
    }
}

/// A change of the settings and what its refusal says.
struct SettingsRefusal: Sendable, CustomTestStringConvertible {
    let parts: [String]
    let change: @Sendable (inout StandardSettings<HTTP.Request>) -> Void

    init(
        _ parts: String...,
        change: @escaping @Sendable (inout StandardSettings<HTTP.Request>) -> Void
    ) {
        self.parts = parts
        self.change = change
    }

    var testDescription: String { parts[0] }
}
