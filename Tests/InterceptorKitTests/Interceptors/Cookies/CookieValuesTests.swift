import Expectations
import InterceptorKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cookie from values")
struct CookieValuesTests {
    private func cookie(
        _ name: String = "a",
        _ value: String = "b",
        _ domain: String = "a.example",
        path: String = "/",
        isHostOnly: Bool = true,
        isSecure: Bool = false
    ) throws -> HTTP.Cookie {
        try HTTP.Cookie(
            name: name,
            value: value,
            domain: domain,
            path: path,
            isHostOnly: isHostOnly,
            isSecure: isSecure
        )
    }

    // With the cases of OkHttp's Cookie.Builder.
    @Test(
        "refuses what no field could set, and names it",
        arguments: [
            ("", "b", "a.example", "/", "name is empty"), (" a", "b", "a.example", "/", "name"),
            ("a ", "b", "a.example", "/", "name"), ("a=", "b", "a.example", "/", "name"),
            ("a;b", "b", "a.example", "/", "name"), ("a\r\nX:", "b", "a.example", "/", "name"),
            (String(repeating: "n", count: 4097), "", "a.example", "/", "4096"),
            ("a", " s3cret", "a.example", "/", "value is a text of 7 bytes"),
            ("a", "s3cret;", "a.example", "/", "value"),
            ("a", "s3cret\n", "a.example", "/", "value"),
            ("a", "s3cret\0", "a.example", "/", "value"),
            ("a", String(repeating: "v", count: 4096), "a.example", "/", "value"),
            ("a", "b", "", "/", "domain is empty"), ("a", "b", "a/b", "/", "domain"),
            ("a", "b", ".a.example", "/", "isHostOnly"), ("a", "b", "a.example:80", "/", "domain"),
            ("a", "b", "a.example:", "/", "domain"), ("a", "b", "u@a.example", "/", "domain"),
            ("a", "b", "a.example/#", "/", "domain"), ("a", "b", "1.2.3", "/", "domain"),
            ("a", "b", "::g", "/", "domain"), ("a", "b", "*.example", "/", "domain"),
            ("a", "b", "a.example", "", "path is empty"), ("a", "b", "a.example", "x", "path"),
            ("a", "b", "a.example", "/;x", "path"), ("a", "b", "a.example", "/\n", "path"),
            ("__Host-a", "b", "a.example", "/x", "__Host-"),
            ("__secure-a", "b", "a.example", "/", "__Secure-"),
        ]
    )
    func refused(name: String, value: String, domain: String, path: String, text: String) {
        let error = #expect(throws: SettingError.self) {
            try cookie(name, value, domain, path: path)
        }

        expectEqual(error?.description.contains("HTTP.Cookie.") == true, true)
        expectEqual(error?.description.contains(text), true)
        expectEqual(error?.description.contains("s3cret"), false)
    }

    @Test(
        "is sent as one that its host set",
        arguments: [
            ("A.Example", true, "/", "http://a.example", true),
            ("a.example", true, "/", "http://x.a.example/", false),
            ("a.example", false, "/", "http://x.a.example/", true),
            ("a.example", true, "/x", "http://a.example/xy", false),
            ("localhost", true, "/", "http://localhost:8080/y", true),
            ("127.0.0.1", false, "/", "http://127.0.0.1/", true),
            ("::1", true, "/", "http://[::1]/", true), ("[::1]", true, "/", "http://[::1]/", true),
        ]
    )
    func sent(domain: String, hostOnly: Bool, path: String, url: String, isSent: Bool) throws {
        let made = try cookie("a", "b", domain, path: path, isHostOnly: hostOnly)

        expectEqual(made.isSent(to: HTTP.URL(unvalidated: url), at: Date()), isSent)
    }

    @Test("may have the largest size, an empty value and a prefix")
    func allowed() throws {
        let largest = try cookie("a", String(repeating: "v", count: 4095))
        let secure = try cookie("__Host-a", "", isSecure: true)

        expectEqual(largest.value.utf8.count, 4095)
        expectEqual(secure.value, "")
        expectEqual(secure.createdAt, .distantPast)
    }

    @Test("goes into a jar by one call, in place of an older one")
    func set() throws {
        let jar = CookieJar([try cookie("a", "1"), try cookie("b", "2")])

        // Also one that no http response could set, or replace.
        jar.set(try cookie("a", "3", isSecure: true))
        let secure = jar.cookies.map(\.value)
        jar.set(try cookie("a", "4"))

        expectEqual(secure, ["3", "2"])
        let sent = jar.cookies(for: "http://a.example/", at: Date())
        expectEqual(sent.map(\.value), ["4", "2"])
    }
}
