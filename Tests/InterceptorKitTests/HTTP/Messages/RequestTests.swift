import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

@Suite("HTTP.Request")
struct RequestTests {
    private struct Order: Codable, Sendable { var id = 7 }

    private static let json = "application/json"
    private static let text = "text/plain; charset=utf-8"
    private static let unknown = "application/octet-stream"

    private static func content(_ body: HTTP.Body) -> HTTP.Request {
        HTTP.Request.post("/o").content(HTTP.Content(body))
    }

    private static func changed(_ body: HTTP.Body, to next: HTTP.Body) -> HTTP.Request {
        var request = HTTP.Request.post("/o", body: body)
        request.body = next
        return request
    }

    private static func typed() throws -> [(HTTP.Request, String?)] {
        let order = try HTTP.Body.json(Order())
        let stream = HTTP.Body.replayable { AsyncStream { $0.finish() } }
        return [
            (.post("/o", body: order), json), (.put("/o", body: order), json),
            (.patch("/o", body: order), json), (HTTP.Request(.delete, "/o", body: order), json),
            (content(order), json), (changed("draft", to: order), json),
            (try HTTP.Request.post("/o").json(Order()), json),
            (.post("/o", body: .text("tea")), text), (.post("/o", body: "tea"), text),
            (changed(order, to: "draft"), text),
            (HTTP.Request.post("/o").form(["a": "b"]), "application/x-www-form-urlencoded"),
            (
                try HTTP.Request.post("/o").multipart(HTTP.Multipart(boundary: "b")),
                "multipart/form-data; boundary=b"
            ), (.post("/o", body: .bytes([1])), unknown),
            (.put("/o", body: .file(#filePath)), unknown),
            (.put("/o", body: stream), unknown), (.post("/o"), nil), (.post("/o", body: ""), nil),
            (.post("/o", headers: ["content-type": "a/b"], body: order), "a/b"),
            (.post("/o", headers: ["Content-Type": "a/b"], body: "tea"), "a/b"),
        ]
    }

    @Test("takes a query with every method")
    func query() {
        let requests: [HTTP.Request] = [
            .get("/o?a=1", query: ["b": "2 &"]), .head("/o?a=1", query: ["b": "2 &"]),
            .delete("/o?a=1", query: ["b": "2 &"]), .post("/o?a=1", query: ["b": "2 &"]),
            .put("/o?a=1", query: ["b": "2 &"]), .patch("/o?a=1", query: ["b": "2 &"]),
        ]

        expectEqual(Set(requests.map(\.url.text)), ["/o?a=1&b=2%20%26"])
        expectEqual(requests.map(\.method), [.get, .head, .delete, .post, .put, .patch])
    }

    @Test("sends the content type of its body, unless a field states another")
    func contentTypes() async throws {
        for (request, type) in try Self.typed() {
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try HTTP.Client(transport: transport, timeout: nil) {
                BaseURLInterceptor("https://a.example")
            }

            _ = try await client.send(request)

            let sent = transport.sent.map { $0.input.headers.values("Content-Type") }
            expectEqual(sent, [type.map { [$0] } ?? []], "\(request.body)")
        }
    }

    @Test("sends its body's content type also from an upload or an endpoint")
    func contentTypesOfCalls() async throws {
        let transport = ScriptedTransport<HTTP.Request>(
            replies: Array(repeating: .status(200), count: 4)
        )
        let client = try HTTP.Client(transport: transport, timeout: nil) {}
        let encoder = HTTP.BodyEncoder<HTTP.Body> { body, _ in HTTP.Content(body) }
        func endpoint<Value: Sendable>(
            _ value: Value,
            _ encoder: HTTP.BodyEncoder<Value>
        ) -> HTTP.Endpoint<Void> {
            HTTP.Endpoint(.post, "https://a/o", sending: value, by: encoder, decoder: .nothing)
        }

        _ = try await client.upload(.put("https://a/o"), from: .json(Order()))
        try await client.call(endpoint(Order(), .json))
        try await client.call(endpoint(try .json(Order()), encoder))
        try await client.call(endpoint(try .json(Order()), .body("a/b")))

        let sent = transport.sent.map { $0.input.headers["Content-Type"] }
        expectEqual(sent, [Self.json, Self.json, Self.json, "a/b"])
    }

    @Test(
        "is refused when it is invalid",
        arguments: [
            (HTTP.Request("GE T", "https://a/"), HTTP.RequestError.Code.invalidMethod),
            (HTTP.Request("", "https://a/"), .invalidMethod),
            (HTTP.Request("GET\r\nX:1", "https://a/"), .invalidMethod),
            (.get("https://a/ b"), .invalidURL),
            (.get("gopher://a/"), .unsupportedScheme),
            (.get("https://a/", headers: ["X": "a\r\nb"]), .invalidField),
            (
                .post("https://a/", headers: ["Transfer-Encoding": "chunked"], body: "x"),
                .invalidField
            ),
            (.post("https://a/", headers: ["Content-Length": "2"], body: "x"), .invalidField),
            (.post("https://a/", headers: ["Content-Length": "1, 1"], body: "x"), .invalidField),
            (.post("https://a/", headers: ["Content-Length": "+1"], body: "x"), .invalidField),
            (.post("https://a/", headers: ["Content-Length": "01"], body: "x"), .invalidField),
            (.post("https://a/", headers: ["Content-Length": ""], body: "x"), .invalidField),
            (
                .post(
                    "https://a/",
                    headers: ["Content-Length": "1", "content-length": "1"],
                    body: "x"
                ),
                .invalidField
            ),
            (.get("https://a/", headers: ["Host": "a", "host": "a"]), .invalidField),
            (.get("https://a/", headers: ["Host": ""]), .invalidField),
            (.get("https://a/", headers: ["Host": "a b"]), .invalidField),
            (.get("https://a/", headers: ["Host": "a, b"]), .invalidField),
            (.get("https://a/", headers: ["Host": "u@a"]), .invalidField),
            (.get("https://a/", headers: ["Host": "a/b"]), .invalidField),
            (.get("https://a/", headers: ["Host": "a:"]), .invalidField),
            (.get("https://a/", headers: ["X": "a\u{1}b"]), .invalidField),
            (.get("https://a/", headers: ["X": "a\u{1F}"]), .invalidField),
            (.get("https://a/", headers: ["X": "a\u{7F}b"]), .invalidField),
            (HTTP.Request("CONNECT", "https://a/"), .invalidMethod),
            (HTTP.Request("connect", "https://a/"), .invalidMethod),
            (HTTP.Request("TRACE", "https://a/", body: "x"), .invalidBody),
        ]
    )
    func refused(request: HTTP.Request, code: HTTP.RequestError.Code) {
        let error = #expect(throws: HTTP.RequestError.self) { try request.validate() }

        expectEqual(error?.code, code)
    }

    @Test(
        "has its URL's origin as authority, in any spelling",
        arguments: [
            "https://api.example.com/orders?a=b", "https://api.example.com",
            "HTTPS://API.example.com/a",
            "https://api.example.com:443/", "http://a:8080", "http://[::1]/x", "http://[::1]:81/x",
            "http://[FE80::1]", "/orders", "//a/b", "orders", "", "https://a b/", "ftp://a:80/b",
            "https:///x", "https://A",
        ]
    )
    func authority(text: String) {
        let request = HTTP.Request.get(HTTP.URL(unvalidated: text))

        expectEqual(request.authority, request.url.origin?.description)
    }

    @Test(
        "accepts tabs and non-ASCII characters in a value, and a Host field",
        arguments: [
            ["X": "a\tb"], ["X": "é \u{80}\u{9F}"], ["Host": "b.example:8080"],
            ["Host": "[::1]:80"], ["Host": "B"],
        ] as [HTTP.Headers]
    )
    func sendable(headers: HTTP.Headers) throws {
        try HTTP.Request.get("https://a/", headers: headers).validate()
    }

    @Test("is valid again once control characters are removed from its fields")
    func mended() throws {
        var request = HTTP.Request.get("https://a/", headers: ["X": "\u{1}", "Y": "\u{2}"])

        request.headers["X"] = "1"
        let error = #expect(throws: HTTP.RequestError.self) { try request.validate() }
        request.headers["Y"] = nil

        expectEqual(error?.message.contains("field Y"), true)
        try request.validate()
    }

    @Test("accepts a Content-Length that agrees with its body")
    func statedLength() throws {
        try HTTP.Request.post("https://a/", headers: ["Content-Length": "1"], body: "x").validate()
    }
}
