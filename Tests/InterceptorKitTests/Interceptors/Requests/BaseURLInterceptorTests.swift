import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("BaseURLInterceptor")
struct BaseURLInterceptorTests {
    private func sent(
        _ request: String,
        _ interceptor: BaseURLInterceptor
    ) throws -> [String] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let pipeline = try Pipeline(transport: transport) { interceptor }
            _ = try await pipeline.run(
                .get(HTTP.URL(unvalidated: request)),
                call: Call(runtime: simulation.runtime)
            )
            return transport.sent.map(\.input.url.text)
        }
    }

    @Test(
        "joins the path of the base URL with the request's",
        arguments: [
            ("https://a.example/v1", "/orders/7", "https://a.example/v1/orders/7"),
            ("https://a.example/v1/", "orders/7", "https://a.example/v1/orders/7"),
            ("https://a.example/v1//", "orders/", "https://a.example/v1/orders/"),
            ("https://a.example", "orders", "https://a.example/orders"),
            ("https://a.example", "/", "https://a.example/"),
            ("https://a.example/v1", "/a//b", "https://a.example/v1/a//b"),
            ("https://a.example/v1", "?a=1", "https://a.example/v1?a=1"),
            ("https://a.example/v1/", "?a=1", "https://a.example/v1/?a=1"),
            ("https://a.example/v1", "?", "https://a.example/v1"),
            ("https://a.example/v1", "/o#part", "https://a.example/v1/o"),
            ("https://a.example/v1", "/o?x=/../y", "https://a.example/v1/o?x=/../y"),
            ("https://a.example/v1", "/.well-known/x...", "https://a.example/v1/.well-known/x..."),
            ("https://a.example/v1?app=x", "/o", "https://a.example/v1/o?app=x"),
            ("https://a.example/v1?a=1", "/o?a=2", "https://a.example/v1/o?a=1&a=2"),
            ("https://a.example:8443/v1?app=x", "/o?b=2", "https://a.example:8443/v1/o?app=x&b=2"),
            ("https://a.example/v1", "/a%2Fb", "https://a.example/v1/a%2Fb"),
            ("https://a.example/v1", "https://b.example/x", "https://b.example/x"),
            ("https://a.example/v1", "HTTPS://b.example/../x", "HTTPS://b.example/../x"),
        ]
    )
    func joining(base: String, request: String, expected: String) throws {
        let urls = try sent(request, BaseURLInterceptor(HTTP.URL(unvalidated: base)))

        expectEqual(urls, [expected])
    }

    @Test(
        "refuses a path that would lead outside the base",
        arguments: [
            "//b.example/x", "///x", "/../admin", "..", ".", "/a/./b", "/orders/..",
            "/%2e%2E/admin",
            "/.%2e", "/a/%2e", "", "mailto:x@y", "ftp://b.example", "https://user@b.example/",
            "/a\\..\\b", "/a b", "/a\r\nX: y", "/a\0",
        ]
    )
    func refusal(request: String) throws {
        let error = #expect(throws: HTTP.RequestError.self) {
            try sent(request, BaseURLInterceptor("https://a.example/v1"))
        }

        expectEqual(error?.code, (request == "ftp://b.example" ? .unsupportedScheme : .invalidURL))
    }

    @Test("keeps an inserted identifier within its segment")
    func identifier() throws {
        let id = "../admin?x=1#y"

        let urls = try sent(
            "/orders/\(HTTP.URL("\(id)").text)",
            BaseURLInterceptor("https://a.example")
        )

        expectEqual(urls, ["https://a.example/orders/..%2Fadmin%3Fx%3D1%23y"])
    }

    @Test("refuses other origins if told to")
    func otherOrigins() throws {
        let confined = BaseURLInterceptor("https://a.example/v1", refusesOtherOrigins: true)

        let error = #expect(throws: HTTP.RequestError.self) {
            try sent("https://b.example/x?token=geheim", confined)
        }
        let own = try sent("https://A.example:443/x", confined)

        expectEqual(error?.code, .foreignOrigin)
        expectEqual(
            error?.message,
            "The request is for https://b.example, and this client sends to https://a.example alone. "
                + "Give a path, or send with a client that may go there."
        )
        expectEqual(own, ["https://A.example:443/x"])
    }

    @Test(
        "is refused if its base URL is incomplete, when a pipeline is built",
        arguments: ["/v1", "ftp://a.example", ""]
    )
    func invalidBase(base: String) {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                BaseURLInterceptor(HTTP.URL(unvalidated: base))
            }
        }
    }
}
