import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("CanonicalTarget")
struct CanonicalTargetTests {
    @Test(
        "has the authority as a Host field says it",
        arguments: [
            ("https://a.example", "a.example", 443), ("HTTPS://A.Example/", "a.example", 443),
            ("https://a.example:443", "a.example", 443), ("http://a.example:80", "a.example", 80),
            ("https://a.example:80/", "a.example:80", 80),
            ("http://a.example:443/", "a.example:443", 443),
            ("https://a.example:8443/", "a.example:8443", 8443),
            ("https://[2001:DB8::1]:8443/", "[2001:db8::1]:8443", 8443),
        ]
    )
    func authority(url: String, authority: String, port: Int) throws {
        let target = try CanonicalTarget(HTTP.URL(unvalidated: url))

        expectEqual(target.authority, authority)
        expectEqual(target.port, port)
    }

    @Test("takes path and query apart as they are written")
    func parts() throws {
        func parts(_ url: HTTP.URL) throws -> [String] {
            let target = try CanonicalTarget(url)
            return [
                String(decoding: target.path, as: UTF8.self),
                String(decoding: target.query, as: UTF8.self), "\(target.hasQuery)",
            ]
        }

        try expectEqual(
            parts("https://a.example/a%2Fb/../C?x=%20&y#z"),
            [
                "/a%2Fb/../C", "x=%20&y", "true",
            ]
        )
        try expectEqual(parts("https://a.example"), ["", "", "false"])
        try expectEqual(parts("https://a.example/?"), ["/", "", "true"])
        try expectEqual(parts("https://a.example?a?b"), ["", "a?b", "true"])
        try expectEqual(parts("https://a.example#?a"), ["", "", "false"])
    }

    @Test(
        "writes a Host field in the same form, by the scheme's own port",
        arguments: [
            ("https", "A.Example", "a.example"), ("https", "a.example:443", "a.example"),
            ("https", "a.example:80", "a.example:80"), ("http", "a.example:80", "a.example"),
            ("https", "a.example:8443", "a.example:8443"), ("https", "[::1]:443", "[::1]"),
        ]
    )
    func named(scheme: String, host: String, authority: String) throws {
        let target = try CanonicalTarget(HTTP.URL("\(scheme)://b.example/"))

        expectEqual(target.scheme, scheme)
        expectEqual(target.authority(named: host), authority)
    }

    @Test(
        "refuses a URL that is not complete, or of another scheme",
        arguments: [
            "", "/orders", "//a.example/", "https:///x", "ftp://a.example/", "https:a",
            "https://user:pass@a.example/",
        ]
    )
    func refused(url: String) {
        #expect(throws: HTTP.RequestError.self) { try CanonicalTarget(HTTP.URL(unvalidated: url)) }
    }
}
