import Expectations
import InterceptorKit
import InterceptorKitOperations
import InterceptorKitTesting
import Testing

private struct OrderPage: Codable, Sendable {
    var items: [Int]
    var next: String?
}

@Suite("Pages")
struct PagesTests {
    /// A client of a service that answers by the request's target.
    private func client(
        _ reply: @escaping @Sendable (String) throws -> HTTP.Response
    ) throws -> (HTTP.Client, ScriptedTransport<HTTP.Request>) {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            var response = try reply(request.url.requestTarget)
            response.request = request
            return response
        }
        return (HTTP.Client(transport: transport, timeout: nil), transport)
    }

    private func page(_ items: [Int], next: String? = nil) throws -> HTTP.Response {
        HTTP.Response(200, body: try .json(OrderPage(items: items, next: next)))
    }

    private func targets(_ transport: ScriptedTransport<HTTP.Request>) -> [String] {
        transport.sent.map(\.input.url.requestTarget)
    }

    @Test("follows a cursor through a page without items to the last page")
    func cursor() async throws {
        let (api, transport) = try client { target in
            switch target {
            case "/orders?size=2&cursor=old": try page([1, 2], next: "a/b")
            case "/orders?size=2&cursor=a%2Fb": try page([], next: "c")
            case "/orders?size=2&cursor=c": try page([3], next: "")
            default: HTTP.Response(500)
            }
        }

        let orders = api.pages(
            of: OrderPage.self,
            .get("https://a.example/orders?size=2&cursor=old"),
            next: .cursor(in: "cursor") { $0.next }
        )
        var items: [Int] = []
        for try await item in orders.items({ $0.items }) { items.append(item) }

        expectEqual(items, [1, 2, 3])
        expectEqual(transport.sent.count, 3)
    }

    @Test("ends at a 204, which has no page to decode")
    func noContent() async throws {
        let (api, transport) = try client { target in
            target == "/orders" ? try page([1], next: "b") : HTTP.Response(204)
        }

        var pages: [[Int]] = []
        let orders = api.pages(
            of: OrderPage.self,
            .get("https://a.example/orders"),
            next: .cursor(in: "cursor") { $0.next }
        )
        for try await page in orders { pages.append(page.items) }

        expectEqual(pages, [[1]])
        expectEqual(targets(transport), ["/orders", "/orders?cursor=b"])
    }

    @Test("asks for a page only when it is taken")
    func lazily() async throws {
        let (api, transport) = try client { target in
            HTTP.Response(200, headers: ["Link": "<\(target)x>; rel=next"])
        }

        var iterator = api.pages(.get("https://a.example/orders")).makeAsyncIterator()
        let before = transport.sent.count
        _ = try await iterator.next()
        _ = try await iterator.next()

        expectEqual(before, 0)
        expectEqual(transport.sent.count, 2)
    }

    @Test("writes a cursor into a body")
    func cursorInBody() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let sent = try await request.body.collect()
            return try page([sent.count], next: sent.isEmpty ? "next" : nil)
        }
        let api = HTTP.Client(transport: transport, timeout: nil)

        let pages = api.pages(
            of: OrderPage.self,
            .post("https://a.example/search"),
            next: .cursor({ $0.next }, writing: { $0.body = .text($1) })
        )
        var items: [Int] = []
        for try await page in pages { items += page.items }

        expectEqual(items, [0, 4])
    }

    @Test("follows the link next with the fields of the first request")
    func link() async throws {
        let (api, transport) = try client { target in
            let next = target == "/v1/orders" ? #"<orders?page=2>; rel="next""# : "</>; rel=first"
            return HTTP.Response(200, headers: ["Link": next])
        }

        var statuses: [HTTP.Status] = []
        let first = HTTP.Request.get(
            "https://a.example/v1/orders",
            headers: ["Accept": "application/json"]
        )
        for try await response in api.pages(first) { statuses.append(response.status) }

        expectEqual(statuses, [200, 200])
        expectEqual(targets(transport), ["/v1/orders", "/v1/orders?page=2"])
        expectEqual(transport.sent.last?.input.headers["Accept"], "application/json")
    }

    @Test("counts pages until the last one")
    func number() async throws {
        let (api, transport) = try client { try page($0.hasSuffix("page=2") ? [] : [1]) }

        let pages = api.pages(
            of: OrderPage.self,
            .get("https://a.example/orders"),
            next: .number(in: "page", from: 0) { $0.items.isEmpty }
        )
        for try await _ in pages {}

        expectEqual(targets(transport), ["/orders", "/orders?page=1", "/orders?page=2"])
    }

    @Test("gives the page and then throws when the next is at another origin")
    func otherOrigin() async throws {
        let (api, transport) = try client { _ in
            HTTP.Response(200, headers: ["Link": "<https://b.example/orders>; rel=next"])
        }

        var iterator = api.pages(.get("https://a.example/orders")).makeAsyncIterator()
        let first = try await iterator.next()
        let error = await #expect(throws: HTTP.OperationError.self) { try await iterator.next() }
        let end = try await iterator.next()

        expectEqual(first?.status, 200)
        expectEqual(error?.code, .otherOrigin)
        expectTrue(end == nil)
        expectEqual(transport.sent.count, 1)
    }

    @Test("sends no field of the first request where a redirect led")
    func redirected() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let isFirst = request.url.origin == "https://a.example"
            return HTTP.Response(
                isFirst ? 302 : 200,
                headers: ["Location": "https://b.example/orders", "Link": "</2>; rel=next"],
                request: request
            )
        }
        let api = try HTTP.Client(transport: transport, timeout: nil) {
            BaseURLInterceptor("https://a.example")
            RedirectInterceptor()
        }

        let first = HTTP.Request.get("/orders", headers: ["Authorization": "Bearer secret"])
        var iterator = api.pages(first).makeAsyncIterator()
        _ = try await iterator.next()
        let error = await #expect(throws: HTTP.OperationError.self) { try await iterator.next() }

        expectEqual(error?.code, .otherOrigin)
        let trusted = transport.sent.filter { $0.input.headers["Authorization"] != nil }
        expectEqual(trusted.map(\.input.url.text), ["https://a.example/orders"])
    }

    @Test("gives no page twice when the last leads to the first")
    func circleToRelative() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let next = request.url.requestTarget == "/a" ? "/b" : "/a"
            return HTTP.Response(200, headers: ["Link": "<\(next)>; rel=next"], request: request)
        }
        let api = try HTTP.Client(transport: transport, timeout: nil) {
            BaseURLInterceptor("https://a.example")
        }

        let error = await #expect(throws: HTTP.OperationError.self) {
            for try await _ in api.pages(.get("/a")) {}
        }

        expectEqual(error?.code, .repeatedPage)
        expectEqual(targets(transport), ["/a", "/b"])
    }

    @Test("notices a cursor in the body that comes again")
    func circleInBody() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in try page([1], next: "same") }
        let api = HTTP.Client(transport: transport, timeout: nil)

        let pages = api.pages(
            of: OrderPage.self,
            .post("https://a.example/search"),
            next: .cursor({ $0.next }, writing: { $0.body = .text($1) })
        )
        let error = await #expect(throws: HTTP.OperationError.self) {
            for try await _ in pages {}
        }

        expectEqual(error?.code, .repeatedPage)
        expectEqual(transport.sent.count, 2)
    }

    @Test("follows no link of another page", arguments: [("/other", 1), ("/list", 2), ("", 2)])
    func anchor(anchor: String, count: Int) async throws {
        let (api, transport) = try client { target in
            let link = "</next>; rel=next; anchor=\"\(anchor)\""
            return HTTP.Response(200, headers: target == "/list" ? ["Link": link] : [:])
        }

        for try await _ in api.pages(.get("https://a.example/list")) {}

        expectEqual(transport.sent.count, count)
    }

    @Test("throws at more pages than the limit")
    func limit() async throws {
        let (api, transport) = try client { target in
            HTTP.Response(200, headers: ["Link": "<\(target)x>; rel=next"])
        }

        let error = await #expect(throws: HTTP.OperationError.self) {
            for try await _ in api.pages(.get("https://a.example/a"), limit: 3) {}
        }

        expectEqual(error?.code, .tooManyPages)
        expectEqual(transport.sent.count, 3)
    }

    @Test("throws a page's refusal with its response")
    func refused() async throws {
        let (api, _) = try client { _ in HTTP.Response(403, body: "no") }

        var iterator = api.pages(.get("https://a.example/a")).makeAsyncIterator()
        let error = await #expect(throws: HTTP.OperationError.self) { try await iterator.next() }

        expectEqual(error?.code, .refused)
        expectEqual(error.map(FailurePattern.status(403).matches), true)
        try await expectEqual(error?.response?.text(), "no")
    }
}
