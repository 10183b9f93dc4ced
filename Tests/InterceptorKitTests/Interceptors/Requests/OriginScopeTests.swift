import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("OriginScope")
struct OriginScopeTests {
    @Test(
        "includes URLs by scheme, host and port, and no lookalikes",
        arguments: [
            ("https://a.example/x?y", true), ("HTTPS://A.Example:443", true),
            ("https://b.example:8443/", true),
            ("http://a.example/", false), ("https://a.example:8443/", false),
            ("https://b.example/", false), ("https://a.example.evil.example/", false),
            ("https://x.a.example/", false), ("https://evil.example/?https://a.example", false),
        ]
    )
    func includes(url: String, isMeant: Bool) throws {
        let scope = OriginScope(["https://a.example", "https://b.example:8443"])

        try expectEqual(scope.includes(HTTP.URL(unvalidated: url), for: "Test"), isMeant)
    }

    @Test("includes everything without a list, even a URL without an origin")
    func all() throws {
        let scope = OriginScope(nil)

        try scope.validate()
        try expectTrue(scope.includes("/orders", for: "Test"))
        try expectTrue(scope.includes("http://a.example", for: "Test"))
    }

    @Test(
        "can't say of a URL without an origin, and names who asked",
        arguments: ["/orders", "https://user@a.example/", "https://a.example@evil.example/"]
    )
    func unknown(url: String) throws {
        let scope = OriginScope(["https://a.example"])

        let error = #expect(throws: HTTP.RequestError.self) {
            try scope.includes(HTTP.URL(unvalidated: url), for: "Test")
        }

        expectEqual(error?.code, .invalidURL)
        expectEqual(error?.message.hasPrefix("Test adds"), true)
    }

    @Test("refuses an empty list and what is no origin")
    func invalid() throws {
        try OriginScope(["https://a.example"]).validate()

        let empty = #expect(throws: HTTP.RequestError.self) { try OriginScope([]).validate() }
        expectEqual(empty?.code, .foreignOrigin)
        #expect(throws: (any Error).self) {
            try OriginScope(["https://a.example", "a.example"]).validate()
        }
    }
}
