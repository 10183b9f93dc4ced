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

    // The cases of curl's unit1614 and of requests' test_should_bypass_proxies. Two of curl's differ: a network of zero
    // bits holds every address of its family, and `example.com` its subdomains, as in all versions but 7.86.
    @Test(
        "decide as curl and requests",
        arguments: [
            (
                "localhost,.example.com,.example.de",
                ["www.example.com", "www.example.com.", "example.com", "example.com."], []
            ),
            ("localhost,.example.com.,.example.de", ["www.example.com"], []),
            ("localhost,www.example.com.,.example.de", ["www.example.com"], ["example.com"]),
            ("localhost,example.com", ["example.com", "example.com.", "www.example.com"], []),
            ("127.0.0.1,localhost", ["127.0.0.1", "localhost"], ["127.0.0.2"]),
            ("127.0.0.1/8,localhost,", ["127.0.0.1"], []), ("127.0.0.1/28,", ["127.0.0.1"], []),
            ("127.0.0.1/31,", ["127.0.0.1"], []), ("localhost,127.0.0.1", ["127.0.0.1"], []),
            ("localhost,127.0.0.1.127.0.0.1.127.0.0", [], ["127.0.0.1"]),
            ("barfoo", ["barfoo"], ["foobar", "192.168.0.1"]),
            ("192.168.0.0/16", ["192.168.0.1"], []), ("192.168.0.0/32", [], ["192.168.0.1"]),
            ("192.168.0.0", [], ["192.168.0.1"]), ("192.160.0.1/33", [], ["192.160.0.1"]),
            ("10.0.0.1/8", [], ["192.160.0.1"]), ("::1/129", [], ["[::1]"]),
            ("0:0::1/128", ["[::1]"], []),
            ("fe80::ab47:4396:55c9:8474/64", ["[fe80::ab47:4396:55c9:8474]"], []),
            ("foo, bar, 192.168.0.0/16", ["192.168.1.1"], ["[::1]"]),
            ("foo, bar, 192.168.0.0/24", ["192.168.0.1"], ["192.168.1.1"]),
            ("foo,,,,,              bar, ::1/64", ["[::1]", "bar", "BAr"], []),
            ("www2.example.com, .example.net", [], ["www.example.com"]),
            (".example.com, .example.net", ["example.com"], ["nonexample.com"]),
            (
                "192.168.0.0/24,127.0.0.1,localhost.localdomain,172.16.1.1, google.com:6000",
                [
                    "192.168.0.1:5000", "192.168.0.1", "172.16.1.1", "172.16.1.1:5000",
                    "localhost.localdomain:5000", "google.com:6000",
                ],
                ["172.16.1.12", "172.16.1.12:5000", "google.com:5000", "192.168.1.1:5000"]
            ),
            (
                "192.168.1.1,requests.com", ["192.168.1.1:5000", "www.requests.com"],
                ["192.168.0.1"]
            ),
            (
                "localhost, anotherdomain.com, newdomain.com:1234, .d.o.t",
                [
                    "localhost", "anotherdomain.com:8888", "newdomain.com:1234",
                    "www.newdomain.com:1234", "foo.d.o.t", "d.o.t",
                ],
                ["prelocalhost", "newdomain.com", "newdomain.com:1235"]
            ),
        ]
    )
    func peers(list: String, direct: [String], proxied: [String]) {
        let exceptions = ProxyExceptions([list])

        for host in direct + proxied {
            let url = HTTP.URL(unvalidated: "http://" + host)
            expectEqual(exceptions.contain(url), direct.contains(host), "\(host) in \(list)")
        }
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
