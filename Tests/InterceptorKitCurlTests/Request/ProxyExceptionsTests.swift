import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite("ProxyExceptions", .tags(.sockets), .serializedAcrossSuites)
struct ProxyExceptionsTests {
    @Test(
        "stand for names with subdomains, addresses, networks, and one port",
        arguments: [
            ("h.example", "http://h.example/", true),
            ("h.example", "http://a.H.example./", true),
            ("H.example.", "http://h.example:81/", true),
            ("h.example", "http://ah.example/", false),
            ("h.example", "http://example/", false),
            (".h.example", "http://a.h.example/", true),
            ("*.h.example", "http://a.h.example/", true),
            ("*.h.example", "http://h.example/", true),
            ("*", "https://[::1]/", true),
            ("a.example, b.example  h.example", "http://h.example/", true),
            ("h.example:8080", "http://h.example:8080/", true),
            ("h.example:8080", "http://h.example/", false),
            ("h.example:443", "https://a.h.example/", true),
            ("h.example:x,h.example:,:80", "http://h.example/", false),
            ("127.0.0.1:80", "http://127.0.0.1/", true),
            ("10.0.0.0/8", "http://10.255.0.1/", true),
            ("10.0.0.0/9", "http://10.255.0.1/", false),
            ("0.0.0.0/0", "http://10.255.0.1/", true),
            ("0.0.0.0/0", "http://[::1]/", false),
            ("10.0.0.0/33,10.0.0.0/,10.0.0.0/8/8", "http://10.0.0.0/", false),
            ("0.0.1", "http://10.0.0.1/", false),
            ("::1", "http://[::1]/", true),
            ("[::1]", "http://[0:0:0:0:0:0:0:1]/", true),
            ("[::1]:81", "http://[::1]:81/", true),
            ("[::1]:81,[::1]81,[::1", "http://[::1]/", false),
            ("0:0:0:0:0:0:0:1", "http://[::1]/", true),
            ("fd00::/8", "http://[fd12::9]/", true),
            ("2001:db8::/33", "http://[2001:db8:8000::]/", false),
            ("", "http://h.example/", false),
        ]
    )
    func table(list: String, url: String, isContained: Bool) throws {
        try expectEqual(ProxyExceptions([list]).contain(HTTP.URL(string: url)), isContained)
    }

    @Test("are reached directly, and others by the proxy, in turns")
    func reached() async throws {
        let proxy = try LoopbackServer { _ in .text("proxy") }
        let server = try LoopbackServer { _ in .text("host") }
        defer { proxy.stop() }
        defer { server.stop() }
        var settings = CurlTransport.Settings()
        settings.proxy = .address("http://127.0.0.1:\(proxy.port)")
        settings.proxy.exceptions = ["127.0.0.1:\(server.port)"]
        let client = try HTTP.Client(transport: try CurlTransport(settings: settings)) {}

        var texts: [String] = []
        for url in ["http://h.example/", server.url("/"), "http://h.example/"] as [HTTP.URL] {
            try await texts.append(client.send(.get(url)).text())
        }

        expectEqual(texts, ["proxy", "host", "proxy"])
    }

    @Test("sends an empty query and each host's own Host through a proxy")
    func wholeURLs() async throws {
        let proxy = try LoopbackServer { _ in .status(200) }
        defer { proxy.stop() }
        var settings = CurlTransport.Settings()
        settings.proxy = .address("http://127.0.0.1:\(proxy.port)")
        let client = try HTTP.Client(transport: try CurlTransport(settings: settings)) {}

        for url in ["http://[2001:db8::a]:81/x", "http://h.example/y?", "http://[::1]"] {
            _ = try await client.send(.get(HTTP.URL(string: url))).text()
        }

        expectEqual(
            proxy.requests.map(\.target),
            ["http://[2001:db8::a]:81/x", "http://h.example/y?", "http://[::1]/"]
        )
        expectEqual(
            proxy.requests.map { $0.headers["Host"] },
            ["[2001:db8::a]:81", "h.example", "[::1]"]
        )
    }
}
