#if Redis
import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitRedis

@Suite("RedisSettings")
struct RedisSettingsTests {
    @Test("reads a URL with all its parts")
    func url() throws {
        let settings = try RedisSettings(url: "redis://app:p%40ss@redis.example.com:6380/3")

        expectEqual(settings.host, "redis.example.com")
        expectEqual(settings.port, 6380)
        expectEqual(settings.database, 3)
        expectEqual(settings.credential, RedisCredential(username: "app", password: "p@ss"))
    }

    #if RedisTLS
    @Test("speaks TLS where the URL's scheme says so, with its trait")
    func scheme() throws {
        expectTrue(try RedisSettings(url: "rediss://a.example").tls != nil)
        expectTrue(try RedisSettings(url: "redis://a.example").tls == nil)
    }
    #else
    @Test("refuses a URL that means TLS without the trait, which the error names")
    func scheme() {
        let error = #expect(throws: RedisError.self) {
            try RedisSettings(url: "rediss://a.example")
        }

        expectEqual(error?.message.contains("RedisTLS"), true)
    }
    #endif

    @Test("reads a URL with a host alone")
    func shortURL() throws {
        let settings = try RedisSettings(url: "redis://[::1]")

        expectEqual(settings.host, "::1")
        expectEqual(settings.port, 6379)
        expectEqual(settings.database, 0)
        expectEqual(settings.credential, nil)
    }

    @Test("takes a password without a user as the default user's")
    func passwordAlone() throws {
        let settings = try RedisSettings(url: "redis://:secret@localhost")

        expectEqual(settings.credential, RedisCredential(username: "default", password: "secret"))
    }

    @Test(
        "refuses a URL that it does not understand, without showing it",
        arguments: [
            "http://user:secret@redis.example.com", "redis://", "user:secret@redis.example.com",
            "redis://user:secret@redis.example.com/abc",
            "redis://user:secret@redis.example.com?db=1",
        ]
    )
    func invalidURL(url: String) {
        let error = #expect(throws: SettingError.self) { try RedisSettings(url: url) }

        expectEqual(error?.setting, "RedisSettings.url")
        expectEqual(error?.description.contains("secret"), false)
    }

    @Test("refuses numbers that cannot work")
    func invalidNumbers() {
        let changes: [(inout RedisSettings) -> Void] = [
            { $0.host = "" }, { $0.host = "a\nb" }, { $0.port = 0 }, { $0.port = 65_536 },
            { $0.database = -1 },
            { $0.connections = 0 }, { $0.timeout = .zero }, { $0.inFlightLimit = 0 },
            { $0.replyLimit = 16_383 }, { $0.clientName = "two words" },
        ]

        for change in changes {
            var settings = RedisSettings(host: "redis.example.com")
            change(&settings)
            #expect(throws: SettingError.self) { try RedisClient(settings) }
        }
    }

    @Test("never shows the password")
    func redaction() throws {
        let settings = try RedisSettings(url: "redis://app:sesame@redis.example.com")
        let client = try RedisClient(settings)
        let credential = RedisCredential(password: "sesame")

        var dumped = ""
        dump(settings, to: &dumped)
        dump(credential, to: &dumped)

        let shown =
            "\(settings) \(String(reflecting: settings)) \(client) \(credential) "
            + "\(String(reflecting: credential)) \(dumped)"
        expectTrue(!shown.contains("sesame"))
        expectTrue(shown.contains("redis.example.com:6379"))
    }
}
#endif
