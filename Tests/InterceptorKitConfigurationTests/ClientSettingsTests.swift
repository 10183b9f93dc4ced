#if Configuration
import Expectations
import Configuration
import InterceptorKit
import InterceptorKitConfiguration
import Testing

@Suite("Client settings from a configuration")
struct ClientSettingsTests {
    @Test("leaves every setting without a value as it is")
    func absent() throws {
        var defaults = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
        defaults.appID = "shop"
        defaults.strategies.retry?.maxAttempts = 2
        defaults.strategies.adaptiveLimit = nil

        let settings = try settings([:], defaults: defaults)

        expectEqual("\(settings)", "\(defaults)")
        expectEqual(settings.strategies.totalTimeout, .seconds(30))
        expectEqual(settings.strategies.attemptTimeout, .seconds(10))
        expectEqual(settings.strategies.retry?.maxAttempts, 2)
        expectTrue(settings.strategies.hedge == nil)
        expectTrue(settings.strategies.breaker == nil)
        expectEqual(settings.strategies.concurrencyLimit, nil)
        expectEqual(settings.strategies.rateLimit, nil)
        expectEqual(settings.strategies.adaptiveLimit, nil)
    }

    @Test("reads who sends, and how requests are prepared")
    func identity() throws {
        let settings = try settings(
            [
                "baseURL": "https://api.example.com/v1", "appID": "shop", "appVersion": "2.1",
                "deviceID": "d-1", "locale": "de-DE", "token": "t-1", "secret": "s-1",
                "addsIdempotencyKeys": true, "compressesBodies": true, "isDebugging": true,
            ],
            defaults: nil
        )

        expectEqual(settings.baseURL, "https://api.example.com/v1")
        expectEqual(settings.appID, "shop")
        expectEqual(settings.appVersion, "2.1")
        expectEqual(settings.deviceID, "d-1")
        expectEqual(settings.locale, "de-DE")
        expectEqual(settings.token, "t-1")
        expectEqual(settings.secret, "s-1")
        expectTrue(
            settings.addsIdempotencyKeys && settings.compressesBodies && settings.isDebugging
        )
    }

    @Test("reads time limits, retries and hedges")
    func repeats() throws {
        let retrying = try settings([
            "totalTimeoutSeconds": 8, "attemptTimeoutSeconds": 2.5,
            "retry.maxAttempts": 3, "retry.backoff.baseSeconds": 0.1,
            "retry.backoff.capSeconds": 2, "retry.overloadBackoff.baseSeconds": 1,
            "retry.overloadBackoff.capSeconds": 5, "retry.respectsRetryAfter": false,
            "retry.maxRetryAfterSeconds": 4,
        ]).strategies
        let hedging = try settings([
            "retry.isEnabled": false, "hedge.maxAttempts": 3, "hedge.delaySeconds": 0.2,
        ]).strategies

        expectEqual(retrying.totalTimeout, .seconds(8))
        expectEqual(retrying.attemptTimeout, .milliseconds(2500))
        let retry = try unwrap(retrying.retry)
        expectTrue(retry.maxAttempts == 3 && !retry.respectsRetryAfter)
        expectTrue(retry.backoff.base == .milliseconds(100) && retry.backoff.cap == .seconds(2))
        expectEqual(retry.overloadBackoff.base, .seconds(1))
        expectEqual(retry.overloadBackoff.cap, .seconds(5))
        expectEqual(retry.maxRetryAfter, .seconds(4))
        expectTrue(hedging.retry == nil)
        expectEqual(hedging.hedge?.maxAttempts, 3)
        expectEqual(hedging.hedge?.delay, .fixed(.milliseconds(200)))
    }

    @Test("reads a breaker and the limits")
    func limits() throws {
        let strategies = try settings([
            "breaker.failureRatio": 0.4, "breaker.minimumCalls": 10, "breaker.windowSeconds": 60,
            "breaker.slowCallDurationSeconds": 3, "breaker.slowCallRatio": 0.9,
            "breaker.breakDurationSeconds": 2, "breaker.maxBreakDurationSeconds": 20,
            "breaker.successesToClose": 3,
            "concurrencyLimit.limit": 50, "concurrencyLimit.queueLimit": 5,
            "concurrencyLimit.maxWaitSeconds": 1,
            "rateLimit.calls": 100, "rateLimit.periodSeconds": 60, "rateLimit.queueLimit": 7,
            "rateLimit.maxPauseSeconds": 9,
            "adaptiveLimit.initial": 5, "adaptiveLimit.minimum": 2, "adaptiveLimit.maximum": 40,
            "adaptiveLimit.queueLimit": 6, "adaptiveLimit.maxWaitSeconds": 1.5,
        ]).strategies

        let breaker = try unwrap(strategies.breaker?.policy)
        expectTrue(breaker.failureRatio == 0.4 && breaker.minimumCalls == 10)
        expectTrue(breaker.window == .seconds(60) && breaker.slowCallDuration == .seconds(3))
        expectTrue(breaker.slowCallRatio == 0.9 && breaker.successesToClose == 3)
        expectTrue(breaker.breakDuration == .seconds(2) && breaker.maxBreakDuration == .seconds(20))
        expectEqual(
            strategies.concurrencyLimit,
            ConcurrencyLimitPolicy(limit: 50, queueLimit: 5, maxWait: .seconds(1))
        )
        let rate = try unwrap(strategies.rateLimit)
        expectTrue(rate.calls == 100 && rate.burst == 100 && rate.period == .seconds(60))
        expectTrue(rate.queueLimit == 7 && rate.maxPause == .seconds(9))
        let adaptive = try unwrap(strategies.adaptiveLimit)
        expectTrue(adaptive.initial == 5 && adaptive.range == 2...40)
        expectTrue(adaptive.queueLimit == 6 && adaptive.maxWait == .milliseconds(1500))
    }

    @Test("reads whole numbers and texts as a provider of texts has them")
    func texts() throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: [
            "ORDERS_BASE_URL": "https://api.example.com", "ORDERS_TOTAL_TIMEOUT_SECONDS": "12",
            "ORDERS_RETRY_MAX_ATTEMPTS": "2", "ORDERS_ADAPTIVE_LIMIT_IS_ENABLED": "false",
        ])
        let config = ConfigReader(provider: provider).scoped(to: "orders")

        let settings = try HTTP.Client.Settings(config: config)

        expectEqual(settings.strategies.totalTimeout, .seconds(12))
        expectEqual(settings.strategies.retry?.maxAttempts, 2)
        expectEqual(settings.strategies.adaptiveLimit, nil)
    }

    @Test("keeps the numbers of a strategy that is switched off")
    func switchedOff() throws {
        let off = try settings(["breaker.isEnabled": false, "breaker.minimumCalls": 10])
        let on = try settings(["breaker.isEnabled": true, "breaker.minimumCalls": 10])
        let usual = try settings(["rateLimit.isEnabled": true])

        expectTrue(off.strategies.breaker == nil)
        expectEqual(on.strategies.breaker?.policy.minimumCalls, 10)
        expectEqual(usual.strategies.rateLimit, .asAdvised)
    }

    @Test("goes on with the breaker of the defaults if its numbers are the same")
    func sameBreaker() throws {
        var defaults = HTTP.Client.Settings(baseURL: "https://api.example.com")
        defaults.strategies.breaker = CircuitBreaker(mode: .metricsOnly)

        let same = try settings(["breaker.minimumCalls": 20], defaults: defaults)
        let other = try settings(["breaker.minimumCalls": 30], defaults: defaults)

        expectTrue(same.strategies.breaker === defaults.strategies.breaker)
        expectTrue(other.strategies.breaker !== defaults.strategies.breaker)
        expectEqual(other.strategies.breaker?.mode, .metricsOnly)
    }
}
#endif
