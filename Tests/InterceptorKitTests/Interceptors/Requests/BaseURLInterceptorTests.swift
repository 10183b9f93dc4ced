import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("BaseURLInterceptor")
struct BaseURLInterceptorTests {
    @Test(
        "joins the base's path and the request's",
        arguments: [
            ("https://a.example/v1", "/orders/7", "https://a.example/v1/orders/7"),
            ("https://a.example/v1/", "orders/7", "https://a.example/v1/orders/7"),
            ("https://a.example", "orders", "https://a.example/orders"),
            ("https://a.example/v1", "?a=1", "https://a.example/v1?a=1"),
            ("https://a.example:8443/v1?app=x", "/o?b=2", "https://a.example:8443/v1/o?app=x&b=2"),
            ("https://a.example/v1", "https://b.example/x", "https://b.example/x"),
        ]
    )
    func joining(base: String, request: String, expected: String) throws {
        let sent = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(transport) { BaseURLInterceptor(HTTP.URL(base)) }
            _ = try await client.send(.get(HTTP.URL(request)))
            return transport.sent.map(\.input.url.text)
        }

        #expect(sent == [expected])
    }

    @Test(
        "is refused when built with a base that is not complete",
        arguments: ["/v1", "ftp://a.example", ""]
    )
    func invalidBase(base: String) {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { BaseURLInterceptor(HTTP.URL(base)) }
        }
    }
}
