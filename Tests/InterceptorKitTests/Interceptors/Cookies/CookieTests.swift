import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cookie")
struct CookieTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func cookie(
        _ field: String,
        from url: HTTP.URL = "https://www.a.example/dir/page?x"
    ) -> HTTP.Cookie? {
        HTTP.Cookie(field, from: url, at: now)
    }

    @Test(
        "is kept for its host, or for a Domain that contains it",
        arguments: [
            ("www.a.example", "", "www.a.example", true),
            ("www.a.example", "Domain=", "www.a.example", true),
            ("www.a.example", "Domain=a.example", "a.example", false),
            ("www.a.example", "domain = .A.Example", "a.example", false),
            ("www.a.example", "Domain=www.a.example", "www.a.example", false),
            ("www.a.example", "Domain=b.example; Domain=a.example", "a.example", false),
            ("www.a.example", "Domain=a.example; Domain=", "www.a.example", true),
            ("www.a.example", "Domain=.", "www.a.example", true),
            ("localhost", "Domain=localhost", "localhost", false),
            ("intranet", "Domain=intranet", "intranet", true), ("127.0.0.1", "", "127.0.0.1", true),
            ("127.0.0.1", "Domain=127.0.0.1", "127.0.0.1", false), ("[::1]", "", "[::1]", true),
            ("WWW.A.EXAMPLE", "", "www.a.example", true),
        ]
    )
    func domains(host: String, attribute: String, domain: String, isHostOnly: Bool) {
        let kept = cookie("a=b; \(attribute)", from: HTTP.URL(unvalidated: "https://" + host))

        expectEqual(kept?.domain, domain)
        expectEqual(kept?.isHostOnly, isHostOnly)
    }

    @Test(
        "refuses cookies for other domains and for public suffixes",
        arguments: [
            ("www.a.example", "b.example"), ("a.example", "www.a.example"), ("a.example", "ample"),
            ("xa.example", "a.example"), ("www.a.example", "example"),
            ("www.a.example", ".example."),
            ("www.a.example", "..a.example"), ("127.0.0.1", "0.0.1"), ("127.0.0.1", "1"),
            ("10.0x1", "0x1"), ("www.a.example", "a.example."),
            ("sub.localhost", "sub.other"), ("www.a.example", "*.a.example"),
        ]
    )
    func otherDomains(host: String, domain: String) {
        expectEqual(
            cookie("a=b; Domain=\(domain)", from: HTTP.URL(unvalidated: "https://" + host)),
            nil
        )
    }

    @Test("asks a custom public suffix rule")
    func publicSuffixes() {
        let rule: HTTP.Cookie.PublicSuffixRule = {
            $0 == "co.example" || HTTP.Cookie.isSingleLabel($0)
        }
        func domain(_ domain: String, _ url: HTTP.URL) -> HTTP.Cookie? {
            HTTP.Cookie("a=b; Domain=\(domain)", from: url, at: now, isPublicSuffix: rule)
        }

        expectEqual(domain("co.example", "https://shop.co.example/"), nil)
        expectEqual(domain("co.example", "https://co.example/")?.isHostOnly, true)
        expectEqual(domain("co.example.", "https://shop.co.example./"), nil)
        expectEqual(domain("shop.co.example", "https://www.shop.co.example/")?.isHostOnly, false)
    }

    @Test(
        "takes the Path attribute, or the default path of the request",
        arguments: [
            ("", "/", "/"), ("", "/x", "/"), ("", "/x/", "/x"), ("", "/x/y", "/x"),
            ("", "/x/../y/z", "/y"), ("Path=/z", "/x/y", "/z"), ("Path=z", "/x/y", "/x"),
            ("Path=", "/x/y", "/x"), ("Path=/a; Path=/b", "/", "/b"), ("Path=/A/", "/", "/A/"),
        ]
    )
    func paths(attribute: String, request: String, path: String) {
        let kept = cookie(
            "a=b; \(attribute)",
            from: HTTP.URL(unvalidated: "https://a.example" + request)
        )

        expectEqual(kept?.path, path)
    }

    @Test("keeps its flags, and Secure from https only")
    func flags() {
        expectEqual(cookie("a=b; Secure; HttpOnly")?.isSecure, true)
        expectEqual(cookie("a=b; secure=no; HTTPONLY=0")?.isHTTPOnly, true)
        expectEqual(cookie("a=b; SameSite=Strict")?.isSecure, false)
        expectEqual(cookie("a=b; Secure", from: "http://a.example/"), nil)
        expectEqual(cookie("a=b; Secure", from: "http://127.0.0.1/"), nil)
    }

    @Test(
        "obeys the rules of the __Secure- and __Host- prefixes",
        arguments: [
            ("__Secure-a=b", false), ("__Secure-a=b; Secure", true), ("__secure-a=b", false),
            ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false),
            ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure; Path=/x", false),
            ("__Host-a=b; Secure; Path=/; Domain=a.example", false),
            ("__HOST-a=b; Path=/", false), ("__Host-a=b; Secure; Path=/; Domain=", true),
        ]
    )
    func prefixes(field: String, isKept: Bool) {
        expectEqual((cookie(field, from: "https://a.example/") != nil), isKept)
    }

    @Test(
        "expires by Max-Age before Expires, and within 400 days",
        arguments: [
            ("", nil), ("Max-Age=60", 60),
            ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60),
            ("Expires=Thu, 01 Jan 2026 00:01:00 GMT", 60), ("Expires=nonsense", nil),
            ("Max-Age=1; Max-Age=2", 2), ("Max-Age=x", nil), ("Max-Age=", nil), ("Max-Age=+5", nil),
            ("Max-Age=5.5", nil), ("Max-Age=-", nil),
            ("Max-Age=99999999999999999999999999", 34_560_000),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_560_000),
            ("Max-Age=x; Expires=Thu, 01 Jan 2026 00:01:00 GMT", 60),
        ]
    )
    func ends(attributes: String, after seconds: Double?) {
        let kept = cookie("a=b; \(attributes)")

        expectEqual(kept?.expiresAt?.timeIntervalSince(now), seconds)
        expectEqual(kept?.hasEnded(at: now), false)
    }

    @Test(
        "expires at once if Max-Age isn't positive",
        arguments: ["0", "-1", "-99999999999999999999"]
    )
    func ended(maxAge: String) {
        expectEqual(cookie("a=b; Max-Age=\(maxAge)")?.hasEnded(at: .distantPast), true)
    }

    @Test(
        "is sent where host, path, scheme and time allow",
        arguments: [
            ("Domain=a.example", "https://a.example/dir", true),
            ("Domain=a.example", "https://x.y.a.example/dir", true),
            ("Domain=a.example", "https://xa.example/dir", false),
            ("Domain=a.example", "http://www.a.example:8080/dir", true),
            ("", "https://www.a.example/dir", true), ("", "https://x.www.a.example/dir", false),
            ("", "https://a.example/dir", false), ("", "https://www.a.example/", false),
            ("", "https://www.a.example/dir/x", true),
            ("", "https://www.a.example/directory", false),
            ("", "https://www.a.example/dir/../x", false), ("", "https://www.a.example/DIR", false),
            ("Path=/", "https://www.a.example", true),
            ("Path=/dir/", "https://www.a.example/dir", false),
            ("Path=/dir/", "https://www.a.example/dir/x", true),
            ("Secure", "http://www.a.example/dir", false),
            ("Max-Age=1", "https://www.a.example/dir", true),
            ("Max-Age=0", "https://www.a.example/dir", false), ("", "/dir", false),
        ]
    )
    func sent(attributes: String, url: String, isSent: Bool) {
        expectEqual(
            cookie("a=b; \(attributes)")?.isSent(to: HTTP.URL(unvalidated: url), at: now),
            isSent
        )
    }

    @Test("never shows its value")
    func description() throws {
        let kept = try unwrap(cookie("name=s3cret; Domain=a.example; Path=/x"))

        var dumped = ""
        dump(kept, to: &dumped)
        expectEqual("\(kept)", "Cookie(name for *.a.example/x)")
        expectTrue(!dumped.contains("s3cret"))
        expectTrue(!String(reflecting: kept).contains("s3cret"))
    }
}
