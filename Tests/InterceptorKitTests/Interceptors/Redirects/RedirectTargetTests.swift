import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("The target of a redirect")
struct RedirectTargetTests {
    private func run(
        _ request: HTTP.Request,
        through transport: ScriptedTransport<HTTP.Request>
    ) async throws -> HTTP.Response {
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor() }
        return try await pipeline.run(request)
    }

    private func targets(_ transport: ScriptedTransport<HTTP.Request>) -> [String] {
        transport.sent.map(\.input.url.text)
    }

    @Test(
        "returns other statuses, and redirects without a target",
        arguments: [300, 304, 305, 306]
    )
    func notFollowed(status: Int) async throws {
        let transport = web([
            "https://a.example/1": .redirect(HTTP.Status(status), to: "/2"),
            "https://a.example/3": HTTP.Response(302),
        ])

        let other = try await run(.get("https://a.example/1"), through: transport)
        let bare = try await run(.get("https://a.example/3"), through: transport)

        expectEqual(other.status, HTTP.Status(status))
        expectEqual(bare.status, 302)
        expectEqual(transport.sent.count, 2)
    }

    @Test(
        "parses targets as servers write them",
        arguments: [
            ("next", "https://a.example/dir/next"), ("?q=1", "https://a.example/dir/page?q=1"),
            ("../x/./y", "https://a.example/x/y"), ("//b.example", "https://b.example"),
            ("HTTPS://B.Example:443/X", "https://b.example/X"),
            ("/a%2Fb", "https://a.example/a%2Fb"),
            ("/a b/é", "https://a.example/a%20b/%C3%A9"), ("/{id}", "https://a.example/%7Bid%7D"),
            ("/100%", "https://a.example/100%25"),
            ("/\\c.example", "https://c.example"), ("\\x\\y", "https://a.example/x/y"),
            ("https://good.example\\@evil.example/", "https://good.example/@evil.example/"),
            ("https:\\\\c.example\\d?e\\f#g\\h", "https://c.example/d?e%5Cf#g%5Ch"),
            ("htt\tps://c.example/\td", "https://c.example/d"),
            ("https://user:pass@b.example/x@y", "https://b.example/x@y"),
            ("//@b.example:9999/", "https://b.example:9999/"),
            ("/mail@x", "https://a.example/mail@x"),
            ("https://é.example/x", "https://xn--9ca.example/x"),
            ("///c.example/x", "https://c.example/x"),
            ("https:\\/\\//c.example/", "https://c.example/"), (" /x ", "https://a.example/x"),
            ("//c.example:00000443/", "https://c.example/"), ("//c.example:", "https://c.example"),
            ("https:x:y", "https://a.example/dir/x:y"), ("https:/x", "https://a.example/x"),
            ("/x/%2e%2E/y/%2e", "https://a.example/y/"),
        ]
    )
    func spellings(location: String, target: String) async throws {
        let transport = web(["https://a.example/dir/page": .redirect(to: location)])

        _ = try await run(.get("https://a.example/dir/page"), through: transport)

        expectEqual(targets(transport), ["https://a.example/dir/page", target])
    }

    @Test("keeps the fragment unless the target has its own")
    func fragments() async throws {
        let transport = web([
            "https://a.example/1#top": .redirect(to: "/2"),
            "https://a.example/2#top": .redirect(to: "/3#end"),
        ])

        _ = try await run(.get("https://a.example/1#top"), through: transport)

        expectEqual(targets(transport).last, "https://a.example/3#end")
    }

    @Test(
        "refuses invalid targets, and shows none of them",
        arguments: [
            ("", RedirectError.Code.invalidTarget), ("http:///", .invalidTarget),
            ("http://s3cret:99999/", .invalidTarget), ("//s3cret%20mple/", .invalidTarget),
            ("//[::1/s3cret", .invalidTarget), ("http:s3cret", .downgrade),
            ("https://\u{FFFD}.example/s3cret", .invalidTarget), ("https:", .invalidTarget),
            ("https://127.1/s3cret", .invalidTarget), ("//%73/s3cret", .invalidTarget),
            ("mailto:s3cret@b.example", .unsupportedScheme),
            ("javascript:s3cret('x y')", .unsupportedScheme),
            ("file:///s3cret", .unsupportedScheme),
            ("data:text/html,s3cret", .unsupportedScheme),
            ("ftp://b.example/s3cret", .unsupportedScheme),
        ]
    )
    func refusedTargets(location: String, code: RedirectError.Code) async throws {
        let transport = web(["https://a.example/1": .redirect(to: location)])

        let error = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport)
        }

        expectEqual(error?.code, code)
        expectEqual(error?.response.headers["Location"], location)
        expectEqual(error.map { "\($0)".contains("s3cret") }, false)
        expectEqual(transport.sent.count, 1)
    }

    @Test("refuses several different targets, and accepts a repeated one")
    func severalTargets() async throws {
        let transport = web([
            "https://a.example/1": HTTP.Response(
                302,
                headers: ["Location": "/2", "location": "/3"]
            ),
            "https://a.example/4": HTTP.Response(
                302,
                headers: ["Location": "/5", "location": "/5"]
            ),
        ])

        let error = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport)
        }
        let response = try await run(.get("https://a.example/4"), through: transport)

        expectEqual(error?.code, .invalidTarget)
        expectEqual(response.request?.url, "https://a.example/5")
    }
}
