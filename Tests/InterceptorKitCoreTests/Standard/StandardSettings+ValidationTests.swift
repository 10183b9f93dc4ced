import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("StandardSettings.validate")
struct StandardSettingsValidationTests {
    private static let transport = ScriptedTransport<HTTP.Request>(replies: [])

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
                $0.concurrencyLimit = .perAuthority
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
            try HTTP.Client.standard(settings, transport: Self.transport)
        }

        expectEqual(error?.code, .invalidSetting)
        for part in refusal.parts {
            expectEqual(error?.message.contains(part), true, "\(error?.message ?? "")")
        }
        expectEqual(error?.message.hasSuffix("."), true)
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
            try HTTP.Client.standard(settings, transport: Self.transport)
        }
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
