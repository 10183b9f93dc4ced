import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport with settings",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct SettingsTests {
    private func settings(
        _ change: (inout CurlTransport.Settings) -> Void
    ) -> CurlTransport.Settings {
        var settings = CurlTransport.Settings()
        change(&settings)
        return settings
    }

    @Test("refuses an invalid setting by name when it is created")
    func refused() {
        let wrong: [(String, CurlTransport.Settings)] = [
            ("maximumConnectionsPerHost", settings { $0.maximumConnectionsPerHost = 0 }),
            ("maximumConnections", settings { $0.maximumConnections = 0 }),
            ("connectTimeout", settings { $0.connectTimeout = .zero }),
            ("idleTimeout", settings { $0.idleTimeout = .seconds(-1) }),
            ("bufferedBytes", settings { $0.bufferedBytes = 0 }),
            ("nameCacheDuration", settings { $0.nameCacheDuration = .seconds(-1) }),
            ("proxy", settings { $0.proxy = .address("") }),
            ("CertificatePins for \"a.example\"", settings { $0.tls.pins = ["a.example": ["x"]] }),
            ("unixSocketPath", settings { $0.unixSocketPath = "" }),
            ("Punycode", settings { $0.resolvedNames = ["例え.jp:80:127.0.0.1"] }),
            ("text", settings { $0.resolvedNames = ["a:1:b\r\nc"] }),
            ("options", settings { $0.options = [.number(99_999, 1)] }),
            // Addresses, lists and functions are not numbers or texts.
            ("options", settings { $0.options = [.text(10_001, "x")] }),
            ("options", settings { $0.options = [.text(10_023, "X-A: b")] }),
            ("options", settings { $0.options = [.number(20_011, 1)] }),
        ]

        for (name, settings) in wrong {
            let error = #expect(throws: SettingError.self) {
                try CurlTransport(settings: settings)
            }
            expectEqual(error?.description.contains(name), true)
        }
    }

    @Test("refuses a proxy address that libcurl would, and shows none of it")
    func proxies() throws {
        for address in [
            "ftp://s3cret@h:1", "s3cret://h:1", "nonsense s3cret", "http://", "http://u:s3cret@",
            "http://s3cret:0", "http://h:s3cret", "http://h:65536", "http://[::1",
            "http://[::1]s3cret",
            "://s3cret", ":1", "http://u:s3cret@:1", "http://s3cret:1:2", "http:///h:1",
        ] {
            let error = #expect(throws: SettingError.self, "\(address)") {
                try CurlTransport(settings: settings { $0.proxy = .address(address) })
            }
            expectEqual(error?.setting, "CurlTransport.Settings.proxy")
            expectEqual(error.map { "\($0)".contains("s3cret") }, false)
        }
        for address in [
            "http://h", "HTTPS://u:p@h:443/", "socks4://h", "socks://h:1", "socks4a://h:1",
            "socks5://[::1]:1",
            "socks5h://u%40:p@127.0.0.1:65535", "h:3128", "u:p@h:3128", "h", "[::1]:1",
        ] {
            _ = try CurlTransport(settings: settings { $0.proxy = .address(address) })
        }
    }

    @Test("shows no secret in a description of its settings")
    func redaction() {
        let settings = settings { settings in
            settings.options = [.text(10_005, "user:s3cret"), .number(158, 99)]
            settings.proxy = .address("http://user:s3cret@proxy.example")
            settings.proxy.password = "s3cret"
            settings.tls.clientCertificate = .bytes(
                certificate: Data("s3cret".utf8),
                key: Data("s3cret".utf8),
                password: "s3cret"
            )
        }
        var dumped = "\(settings) \(settings.options) \(settings.proxy) \(settings.tls)"
        dump(settings, to: &dumped)

        expectTrue(!dumped.contains("s3cret"))
        // The bytes of a key.
        expectTrue(!dumped.contains("- 115"))
        expectTrue(dumped.contains("option 10005"))
        expectTrue(dumped.contains("a client certificate"))
        expectTrue(dumped.contains("a proxy"))
    }
}
