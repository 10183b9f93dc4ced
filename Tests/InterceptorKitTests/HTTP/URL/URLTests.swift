import Expectations
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite("HTTP.URL", .processorBound)
struct URLTests {
    @Test("parses its parts and keeps its text")
    func parts() {
        let url: HTTP.URL = "HTTPS://API.Example.com:8443/a%2Fb/c?x=1&y=%20#part"

        expectEqual(url.scheme, "https")
        expectEqual(url.host, "api.example.com")
        expectEqual(url.port, 8443)
        expectEqual(url.path, "/a%2Fb/c")
        expectEqual(url.query, "x=1&y=%20")
        expectEqual(url.requestTarget, "/a%2Fb/c?x=1&y=%20")
        expectEqual(url.origin?.description, "https://api.example.com:8443")
        expectEqual(url.text, "HTTPS://API.Example.com:8443/a%2Fb/c?x=1&y=%20#part")
    }

    @Test(
        "accepts valid URLs",
        arguments: [
            "http://a", "http://a/", "http://a?b", "http://127.0.0.1:80/", "http://[::1]:8080/x",
            "https://a/b;c=1,2?d=e/f",
            "http://xn--mnchen-3ya.example/", "http://a_b.example/", "http://1.2.3.4a/",
            "http://0.10.255.99/", "http://7.example/", "http://a./",
        ]
    )
    func accepted(text: String) throws {
        try HTTP.URL(unvalidated: text).validate()
    }

    @Test("keeps an inserted value within its segment or parameter")
    func interpolation() {
        let base: HTTP.URL = "https://api.example.com/v1?x=%20"
        let origin = HTTP.Origin(scheme: "https", host: "a", port: 8443)
        let id = "a/b?c#:"

        expectEqual(HTTP.URL("/orders/\(id)").text, "/orders/a%2Fb%3Fc%23%3A")
        expectTrue(HTTP.URL("/\(id)").isRelative)
        expectEqual(HTTP.URL("\(7)/items").text, "7/items")
        expectTrue(HTTP.URL("\("a b")/items").isRelative)
        expectEqual(HTTP.URL("\(base)&id=\(id)").text, base.text + "&id=a%2Fb%3Fc%23%3A")
        expectEqual(HTTP.URL("\(origin)/\(id)").text, "https://a:8443/a%2Fb%3Fc%23%3A")
        expectEqual(HTTP.URL("\(raw: "https://a/b")/\(id)").text, "https://a/b/a%2Fb%3Fc%23%3A")
        expectEqual(HTTP.URL("\("https")://a").scheme, "https")
    }

    @Test("refuses several segments behind an address of values")
    func addressOfValues() throws {
        let (scheme, host, port, path) = ("https", "api.example.com", 8443, "openai/v1")
        let refused: [HTTP.URL] = [
            "\(scheme)://\(host):\(port)/\(path)", "https://\(host)/\(path)",
            "http://a:\(port)/x/\(path)",
            "//\(host)/\(path)?x=1",
        ]
        let sent: [HTTP.URL] = [
            "https://\(host)/\("v1")/\(port)", "https://\(host)/search?q=\(path)",
            "https://a/\(path)",
            "https://\(host)/\(raw: path)", "\(HTTP.Origin("https://a"))/\(path)",
        ]

        for url in refused + [HTTP.URL("\(refused[0])/chat")] {
            let error = #expect(throws: HTTP.RequestError.self) { try url.validate() }
            expectEqual(error?.message.contains("HTTP.URL(string:)"), true)
        }
        for url in sent { try url.validate() }
        try expectEqual(
            HTTP.URL(string: "\(scheme)://\(host):\(port)/\(path)").text,
            "https://api.example.com:8443/openai/v1"
        )
    }

    @Test("refuses values that make a segment of dots")
    func dots() throws {
        let (up, dot, name) = ("..", ".", "v1..2")
        let base: HTTP.URL = "https://a.example/orders/\(up)"
        let led: [HTTP.URL] = [
            "https://a.example/orders/\(up)", "https://a.example/\(dot)\(dot)/x",
            "/orders/\(dot)?x=1",
            "/orders/.\(dot)#x", "\(base)/x",
        ]
        let kept: [HTTP.URL] = [
            "https://a.example/\(name)/x", "https://a.example/x?dir=\(up)",
            "https://a.example/\(up)x",
            "https://a.example/a/../\(name)", "https://a.example/\(raw: up)/x",
        ]

        for url in led {
            let error = #expect(throws: HTTP.RequestError.self) { try url.validate() }
            expectEqual(error?.message.contains("leads to another path"), true)
        }
        for url in kept { try url.validate() }
    }

    @Test(
        "refuses a URL inserted as a value, and suggests a fix",
        arguments: ["https://api.example.com", "api.example.com/v1", "localhost:8080", "/v1"]
    )
    func encodedBase(base: String) {
        let base = base
        let url: HTTP.URL = "\(base)/orders"
        let nested: HTTP.URL = "\(url)/7"

        for url in [url, nested, url.joined(to: "https://a.example"), url.normalized] {
            let error = #expect(throws: HTTP.RequestError.self) { try url.validate() }
            expectEqual(error?.code, .invalidURL)
            expectEqual(error?.message.contains("begin with an HTTP.URL or HTTP.Origin"), true)
        }
        expectTrue(!url.isRelative)
    }

    @Test("shows no secret of a URL inserted as a value")
    func encodedSecret() {
        let base = "https://user:hunter2@a.example/x?token=hunter3"
        let url: HTTP.URL = "\(base)/orders?token=hunter4"

        let error = #expect(throws: HTTP.RequestError.self) { try url.validate() }

        expectEqual(error?.message.contains("a.example"), true)
        expectEqual(error?.message.contains("hunter"), false)
        expectTrue(!"\(url) \(url.text)".contains("hunter2"))
    }

    @Test("reports a path or port inserted as a host")
    func encodedHost() {
        let path = "/orders"
        let authority = "localhost:8080"
        let origin = HTTP.Origin(scheme: "https", host: "a", port: nil)

        for url: HTTP.URL in ["\(origin)\(path)", "https://\(authority)/x"] {
            let error = #expect(throws: HTTP.RequestError.self) { try url.validate() }
            expectEqual(error?.message.contains("put an HTTP.Origin there"), true)
        }
    }

    @Test(
        "refuses schemes other than http and https",
        arguments: ["ftp://a/", "file:///etc/passwd", "ws://a/"]
    )
    func schemes(text: String) {
        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTP.URL(unvalidated: text).validate()
        }

        expectEqual(error?.code, .unsupportedScheme)
    }

    @Test("encodes added query parameters and decodes them again")
    func parameters() {
        let url = HTTP.URL("https://a/p?x=1#f").appending(query: ["q": "a b&c=ü", "+": ""])

        expectEqual(url.text, "https://a/p?x=1&q=a%20b%26c%3D%C3%BC&%2B=#f")
        expectEqual(url.queryParameters.map(\.name), ["x", "q", "+"])
        expectEqual(url.queryParameters.map(\.value), ["1", "a b&c=ü", ""])
    }

    @Test(
        "normalises the origin, and keeps path and query byte for byte",
        arguments: [
            ("HTTP://A.Example:80/B?X", "http://a.example/B?X"),
            ("https://a:0443/", "https://a/"), ("https://a:80/", "https://a:80/"),
            ("http://[FE80::1]:80/x", "http://[fe80::1]/x"), ("http://a", "http://a/"),
            ("http://a?b", "http://a/?b"), ("http://a?", "http://a/?"),
            ("http://a/b#f", "http://a/b"), ("http://a/b?#f", "http://a/b?"),
            ("http://a/b/./c/../d", "http://a/b/./c/../d"), ("http://a/../..", "http://a/../.."),
            ("http://a/%2e%2E/%7e", "http://a/%2e%2E/%7e"), ("http://a//b///", "http://a//b///"),
            ("/a/../b?x#f", "/a/../b?x"),
        ]
    )
    func normalization(text: String, expected: String) {
        expectEqual(HTTP.URL(unvalidated: text).normalized.text, expected)
    }

    @Test("shows no secret of a request's URL in a dump")
    func dumped() {
        let request = HTTP.Request.get("https://user:hunter2@a.example/x?token=hunter3")
        var text = ""

        dump(request, to: &text)

        expectTrue(text.contains("a.example/x?token=██"))
        expectTrue(!text.contains("hunter"))
    }

    @Test("hides secrets in its description")
    func redaction() {
        let url: HTTP.URL = "https://user:s3cret@a/p?access_token=s3cret&Sig=s3cret&b=1#x"

        expectEqual(url.description, "https://██@a/p?access_token=██&Sig=██&b=1#x")
    }

    @Test("never traps, whatever the text")
    func fuzzing() {
        var generator = SplitMix64(seed: 1)
        let alphabet = Array("http://[]:@?#%&=./ae09é\u{0}\r\n -")
        for _ in 0..<cases(4000, of: 20_000) {
            let length = Int.random(in: 0...24, using: &generator)
            let text = String(
                (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "a" }
            )
            let url = HTTP.URL(unvalidated: text)
            let derived = url.appending(query: ["a": text]).joined(to: url).normalized
            _ = (
                derived.origin, derived.requestTarget, derived.description,
                derived.queryParameters.count
            )
            if (try? url.validate()) != nil {
                expectTrue((try? url.normalized.validate()) != nil, "\(text)")
                expectTrue(!url.requestTarget.contains { $0 == " " || $0 == "\r" || $0 == "\n" })
            }
        }
    }
}
