#if Configuration
import Expectations
import Configuration
import InterceptorKit
import InterceptorKitConfiguration
import Testing

@Suite("Configuration errors")
struct ConfigurationErrorTests {
    @Test("name a key that is needed and has no value")
    func missing() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try settings([:], defaults: nil)
        }

        expectEqual(error?.code, .missingValue)
        expectEqual(error?.keys, ["baseURL"])
        expectEqual(
            error?.description,
            "The configuration has no baseURL, and there is no default. Give it a value."
        )
    }

    @Test(
        "name a value that has another type, which becomes no default",
        arguments: [
            ("totalTimeoutSeconds", "soon", "is \"soon\" and must be a number."),
            ("retry.maxAttempts", "many", "is \"many\" and must be a whole number."),
            ("retry.isEnabled", "perhaps", "is \"perhaps\" and must be true or false."),
            ("appID", 7, "is 7 and must be a text."),
            ("locale", true, "is true and must be a text."),
            ("secret", 7, "can't be read and must be a text."),
        ] as [(String, ConfigValue, String)]
    )
    func unreadable(key: String, value: ConfigValue, problem: String) {
        let error = refusal([AbsoluteConfigKey(ConfigKey(key)): value])

        expectEqual(error?.code, .unreadableValue)
        expectEqual(error?.keys, [key])
        expectEqual(error?.description, "The configuration's \(key) \(problem)")
    }

    @Test(
        "name a value that can't work",
        arguments: [
            ("baseURL", "ftp://api.example.com", "not supported"),
            ("baseURL", "orders", "no scheme and host"),
            ("appID", "", "The appID is empty."),
            ("totalTimeoutSeconds", 0, "No call could end"),
            ("attemptTimeoutSeconds", 0, "No call could end"),
            ("totalTimeoutSeconds", -1, "from zero to 100 years"),
            ("attemptTimeoutSeconds", .init(.double(.nan), isSecret: false), "100 years"),
            ("attemptTimeoutSeconds", 1e300, "from zero to 100 years"),
            ("retry.maxAttempts", 0, "must be at least 1"),
            ("retry.maxAttempts", 9, "must be at most 5"),
            ("retry.backoff.baseSeconds", -1, "from zero to 100 years"),
            ("breaker.failureRatio", 2, "must be more than 0 and at most 1"),
            ("breaker.windowSeconds", 0, "must be more than zero"),
            ("breaker.breakDurationSeconds", 90, "at most maxBreakDuration"),
            ("concurrencyLimit.limit", 0, "must be at least 1"),
            ("rateLimit.calls", 0, "must be at least 1"),
            ("adaptiveLimit.minimum", 0, "from at least 1"),
            ("adaptiveLimit.minimum", 2000, "is from 2000 to 1000"),
            ("adaptiveLimit.maximum", 10, "initial is 20 and must be from 1 to 10"),
        ] as [(String, ConfigValue, String)]
    )
    func invalid(key: String, value: ConfigValue, reason: String) throws {
        let error = try unwrap(refusal([AbsoluteConfigKey(ConfigKey(key)): value]))

        expectEqual(error.code, .invalidValue)
        expectEqual(error.keys, [key])
        expectTrue(error.description.hasPrefix("The configuration can't work with \(key) = "))
        expectTrue(error.description.contains(reason), "\(error)")
    }

    @Test(
        "name the values that can't work together",
        arguments: [
            (["totalTimeoutSeconds": 3, "attemptTimeoutSeconds": 5], 2),
            (["breaker.windowSeconds": 6, "attemptTimeoutSeconds": 5, "appID": "shop"], 2),
            (["breaker.slowCallDurationSeconds": 12, "locale": "de"], 1),
            (["concurrencyLimit.maxWaitSeconds": 40, "retry.maxAttempts": 2], 1),
            (["hedge.isEnabled": true, "locale": "de"], 1),
            (["secret": "s-1", "locale": "de"], 1),
        ] as [([AbsoluteConfigKey: ConfigValue], Int)]
    )
    func together(values: [AbsoluteConfigKey: ConfigValue], count: Int) throws {
        let error = try unwrap(refusal(values))

        expectEqual(error.code, .invalidValue)
        expectEqual(error.keys.count, count, "\(error)")
        expectTrue(!error.keys.contains("locale") && !error.keys.contains("retry.maxAttempts"))
    }

    @Test("blame no key for the program's own settings")
    func ownSettings() throws {
        var defaults = HTTP.Client.Settings(baseURL: "https://api.example.com")
        defaults.strategies.retry?.maxAttempts = 0

        let error = #expect(throws: ConfigurationError.self) {
            try ReloadableClient(config: reader([:]), defaults: defaults, transport: fine)
        }

        expectEqual(error?.keys, [])
        expectTrue(error?.cause is SettingError)
    }

    @Test("show no secret, in whichever place it is")
    func secrets() throws {
        let errors = [
            refusal(["token": "k3y-Of-Orders", "secret": "k3y-Of-Orders"]),
            refusal(["secret": "k3y-Of-Orders"]),
            refusal(["token": .init(.stringArray(["k3y-Of-Orders"]), isSecret: true)]),
            refusal(["baseURL": "ftp://user:k3y-Of-Orders@example.com"]),
            refusal(["baseURL": "ftp://example.com/?token=k3y-Of-Orders"]),
        ]

        for error in errors {
            let error = try unwrap(error)
            var dumped = ""
            dump(error, to: &dumped)
            expectTrue(!"\(error) \(dumped) \(error.message)".contains("k3y-Of-Orders"))
        }
    }
}
#endif
