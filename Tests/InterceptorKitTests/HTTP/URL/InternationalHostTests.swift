import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("An international host")
struct InternationalHostTests {
    // UTS #46, non-transitional: ß and the joiners stay, and what is alike by compatibility is the same.
    @Test(
        "is in Punycode wherever its URL is used",
        arguments: [
            ("http://例え.jp/", "http://xn--r8jz45g.jp/"),
            ("http://例え。JP:81/a?b#c", "http://xn--r8jz45g.jp:81/a?b#c"),
            ("https://Faß.de", "https://xn--fa-hia.de"), ("http://FAẞ.de", "http://xn--fa-hia.de"),
            ("http://☃.net/", "http://xn--n3h.net/"),
            ("//BÜCHER.example/x", "//xn--bcher-kva.example/x"),
            ("http://bu\u{308}cher.example:/", "http://xn--bcher-kva.example:/"),
            ("http://ＧＯ.com?x", "http://go.com?x"),
            ("http://%e4%be%8b%E3%81%88.jp/", "http://xn--r8jz45g.jp/"),
            ("http://１２7.0.0.1/", "http://127.0.0.1/"),
        ]
    )
    func conversion(text: String, converted: String) {
        let url = HTTP.URL(unvalidated: text)

        expectEqual(url.text, converted)
        expectEqual(url.host?.utf8.contains { $0 >= 0x80 }, false)
    }

    @Test("is the same as a value, in an origin and in a base")
    func places() async throws {
        let host = "例え.jp"
        let origin: HTTP.Origin = "https://例え.jp"
        let transport = web([:])
        let client = try HTTP.Client(
            HTTP.Client.Settings(baseURL: "https://例え.jp/v1"),
            transport: transport
        )

        _ = try await client.send(.get("/orders"))

        expectEqual(HTTP.URL("https://\(host)/\(7)").text, "https://xn--r8jz45g.jp/7")
        expectEqual(origin, "https://XN--R8JZ45G.jp")
        expectEqual(HTTP.Origin(scheme: "https", host: "例え.jp"), origin)
        expectEqual(transport.sent.map(\.input.url.text), ["https://xn--r8jz45g.jp/v1/orders"])
    }

    @Test(
        "is refused where there is no such name, with Punycode as the remedy",
        arguments: [
            "http://\u{AD}/", "http://a\u{200D}b/", "http://xn--a-ä.com/", "http://ab\u{FFFD}/",
            "http://℀.de/",
            "http://ä⒈com/", "http://％41ä.de/", "http://%ff%fe.de/", "http://א1a.com/",
            "http://\(String(repeating: "ä", count: 100)).de/",
            "http://\(String(repeating: "ä", count: 9999)).de/",
        ]
    )
    func refusal(text: String) {
        let error = #expect(throws: HTTP.RequestError.self) { try HTTP.URL(string: text) }

        expectEqual(error?.code, .invalidURL)
        expectEqual(
            error?.message.contains("Punycode, as in xn--"),
            true,
            "\(error?.message ?? "")"
        )
    }

    @Test("is refused with user information, blanks and what else no host has")
    func otherMistakes() {
        for (text, reason) in [
            ("http://user:pw@例え.jp/", "user information"), ("http://例え.jp:x/", "the port"),
            ("http://ä b.de/", "percent-encode"), ("http://%C3%A4%2Fb/", "HTTP.Origin"),
            ("http://０ｘ7f.1/", "ends with a number"), ("http://例え.jp/例", "percent-encode"),
        ] {
            let error = #expect(throws: HTTP.RequestError.self) { try HTTP.URL(string: text) }
            expectEqual(error?.message.contains(reason), true, "\(error?.message ?? "")")
        }
    }

    @Test("is one origin with its Punycode, and another than what looks like it")
    func origins() async throws {
        let transport = web([
            "https://xn--r8jz45g.jp/1": .redirect(to: "https://例え.jp/2"),
            "https://xn--r8jz45g.jp/2": .redirect(to: "https://例え.jp\u{3002}example/3"),
        ])
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor() }

        let response = try await pipeline.run(
            .get("https://例え.jp/1", headers: ["Authorization": "s3cret"])
        )

        expectEqual(
            transport.sent.map { $0.input.headers.contains("Authorization") },
            [true, true, false]
        )
        expectEqual(transport.sent.last?.input.url.text, "https://xn--r8jz45g.jp.example/3")
        expectEqual(response.redirects.map(\.changesOrigin), [false, true])
        expectEqual(response.redirects.last.map { "\($0)".utf8.allSatisfy { $0 < 128 } }, true)
    }

    private struct Name: Decodable {
        let input: String
        let output: String?
    }

    @Test("is the name that browsers take", .tags(.vectors), .vectors("url/names.json"))
    func browsers() throws {
        let names = try JSONDecoder().decode([Name].self, from: Vectors.data("url/names.json"))
        var conformance = Conformance("idna")

        for name in names where !name.input.utf8.allSatisfy({ $0 < 0x80 }) {
            let host = (try? HTTP.URL(string: "http://\(name.input)/"))?.host
            // Foundation refuses hyphens at an end, labels longer than 63, and signs that are no letters.
            if host == nil, name.output != nil {
                conformance.skip()
            } else {
                conformance.note(host == name.output, "\(name) is \(host ?? "refused")")
            }
        }

        print(conformance.summary)
        expectEqual(conformance.failures.prefix(20), [])
        expectTrue(conformance.passed > 1500)
    }
}
