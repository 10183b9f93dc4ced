import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.URL, resolving")
struct URLResolvingTests {
    @Test("keeps the dots of a base's path for a query alone")
    func dotsOfBase() {
        let base: HTTP.URL = "http://a/b/../c/./d?q"

        expectEqual(HTTP.URL("?x").resolved(against: base).text, "http://a/b/../c/./d?x")
        expectEqual(HTTP.URL("x").resolved(against: base).text, "http://a/c/x")
    }

    // RFC 3986 section 5.4: seen from http://a/b/c/d;p?q.
    @Test(
        "resolves references as RFC 3986 does",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("g:h", "g:h"), ("http:g", "http:g"),
        ]
    )
    func references(reference: String, resolved: String) {
        let url = HTTP.URL(unvalidated: reference).resolved(against: "http://a/b/c/d;p?q")

        expectEqual(url.text, resolved)
    }

    @Test(
        "keeps absolute and unresolvable references, and their escapes",
        arguments: [
            ("https://b.example/x/../y", "https://a.example/", "https://b.example/y"),
            ("ftp://b.example/x/../y", "https://a.example/", "ftp://b.example/x/../y"),
            ("//[::1]:8080/x", "https://a.example/", "https://[::1]:8080/x"),
            ("a%2Fb", "https://a.example", "https://a.example/a%2Fb"),
            ("?a=1", "https://a.example", "https://a.example?a=1"),
            ("x", "https://a.example:8443/y", "https://a.example:8443/x"),
            ("a b", "https://a.example/", "a b"), ("x", "/relative", "x"),
        ]
    )
    func edges(reference: String, base: String, resolved: String) {
        expectEqual(
            HTTP.URL(unvalidated: reference).resolved(against: HTTP.URL(unvalidated: base)).text,
            resolved
        )
    }
}
