import Expectations
import Testing

@testable import InterceptorKit

@Suite("SetCookie")
struct SetCookieTests {
    @Test(
        "reads name and value as written",
        arguments: [
            ("a=b", "a", "b"), (" a = b ; Path=/", "a", "b"), ("a=", "a", ""),
            ("a=b=c", "a", "b=c"),
            (#"a="b c""#, "a", #""b c""#), ("a=b,c", "a", "b,c"), ("a=b;;Secure;", "a", "b"),
            ("a b=c d", "a b", "c d"), ("A=é", "A", "é"), ("a\t=\tb", "a", "b"),
            ("a=b; unknown=x; =y; z", "a", "b"), ("path=x", "path", "x"),
        ]
    )
    func nameAndValue(field: String, name: String, value: String) {
        expectEqual(SetCookie(field)?.name, name)
        expectEqual(SetCookie(field)?.value, value)
    }

    @Test(
        "refuses an invalid Set-Cookie field",
        arguments: [
            "", ";", "=", "=b", "a", "a; b=c", " =b", "; a=b", "a=b\u{0}c", "a=b\r\nX: y",
            "a=b\u{7F}",
            "a=b; Path=/\u{1}", "a=\(String(repeating: "b", count: 4096))",
        ]
    )
    func refused(field: String) {
        expectTrue(SetCookie(field) == nil)
    }

    @Test("keeps up to 4,096 bytes, and ignores attributes beyond 1,024")
    func sizes() {
        expectTrue(SetCookie("a=\(String(repeating: "b", count: 4095))") != nil)
        expectTrue(SetCookie("ab=\(String(repeating: "b", count: 4095))") == nil)
        let long = "/" + String(repeating: "p", count: 1024)
        expectEqual(SetCookie("a=b; Path=\(long.dropLast())")?.path?.utf8.count, 1024)
        expectEqual(SetCookie("a=b; Path=\(long)")?.path, nil)
    }

    @Test("takes the last of an attribute, whatever its case, and no unknown one")
    func attributes() throws {
        let field = "a=b; PATH=/x; path=/y; Domain=; max-age=1; Max-Age = 2; SECURE; Secured=1"

        let cookie = try unwrap(SetCookie(field))

        expectEqual(cookie.path, "/y")
        expectEqual(cookie.domain, "")
        expectEqual(cookie.maxAge, "2")
        expectEqual(cookie.expires, nil)
        expectTrue(cookie.isSecure)
        expectTrue(!cookie.isHTTPOnly)
    }

    @Test("ignores a malformed age or date, and keeps the one before")
    func malformedLast() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let field =
            "a=b; Max-Age=123; Max-Age=456baz; Max-Age=; Expires=\(date); Expires=04/01/2022"

        let cookie = try unwrap(SetCookie(field))

        expectEqual(cookie.maxAge, "123")
        expectEqual(cookie.expires, date)
    }

    @Test("ignores a last attribute that is too long, and keeps the one before")
    func longLast() throws {
        let long = String(repeating: "p", count: 1025)

        let cookie = try unwrap(SetCookie("a=b; Path=/x; Path=\(long); Expires=\(long)"))

        expectEqual(cookie.path, "/x")
        expectEqual(cookie.expires, nil)
    }
}
