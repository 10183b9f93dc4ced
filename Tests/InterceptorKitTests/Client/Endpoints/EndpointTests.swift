import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

private struct Order: Codable, Sendable, Equatable {
    var name: String
}

extension HTTP.Endpoint {
    fileprivate static func order(_ id: String) -> Self where Output == Order {
        Self(.get, "/orders/\(id)", query: ["full": "ja & nein"], decoder: .json)
    }

    fileprivate static func place(_ order: Order) -> Self where Output == Order {
        Self(.post, "/orders", headers: ["X-A": "b"], sending: order, by: .json, decoder: .json)
    }
}

@Suite("HTTP.Endpoint")
struct EndpointTests {
    private func client(
        _ simulation: Simulation,
        _ transport: ScriptedTransport<HTTP.Request>
    ) throws -> HTTP.Client {
        try simulation.client(transport) { BaseURLInterceptor("https://api.example.com/v1") }
    }

    @Test("builds and sends a request from its parts, and decodes the response")
    func plain() throws {
        let (order, sent) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"name":"tea"}"#)])
            let order = try await client(simulation, transport).call(.order("a/../b"))
            return (order, transport.sent[0].input)
        }

        expectEqual(order, Order(name: "tea"))
        expectTrue(sent.method == .get && sent.body.isEmpty)
        expectEqual(
            sent.url.text,
            "https://api.example.com/v1/orders/a%2F..%2Fb?full=ja%20%26%20nein"
        )
    }

    @Test("encodes the value it sends, and keeps its own header fields")
    func sending() async throws {
        let plain = try await HTTP.Endpoint.place(Order(name: "tea")).request()
        let typed = try await HTTP.Endpoint<Void>(
            .post,
            "/x",
            headers: ["content-type": "application/vnd.shop+json"],
            sending: Order(name: "tea"),
            by: .json,
            decoder: .nothing
        ).request()
        let form = try await HTTP.Endpoint<Void>(
            .post,
            "/x",
            headers: ["Content-Type": "multipart/form-data"],
            sending: HTTP.Multipart(boundary: "B"),
            by: .multipart,
            decoder: .nothing
        ).request()

        expectTrue(plain.method == .post && plain.headers["X-A"] == "b")
        expectEqual(plain.headers["Content-Type"], "application/json")
        expectEqual(
            plain.body.inMemory.map { String(decoding: $0, as: UTF8.self) },
            #"{"name":"tea"}"#
        )
        expectEqual(typed.headers.values("Content-Type"), ["application/vnd.shop+json"])
        expectEqual(form.headers.values("Content-Type"), ["multipart/form-data; boundary=B"])
    }

    @Test("sends to its own host")
    func host() throws {
        let urls = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(204) }
            let client = try client(simulation, transport)
            for path in ["/a", "b?c=d"] {
                let endpoint = HTTP.Endpoint<Void>(
                    .get,
                    HTTP.URL(unvalidated: path),
                    host: "https://files.example.com:8443",
                    query: ["e": "f"],
                    decoder: .nothing
                )
                try await client.call(endpoint)
            }
            return transport.sent.map(\.input.url.text)
        }

        expectEqual(
            urls,
            [
                "https://files.example.com:8443/a?e=f",
                "https://files.example.com:8443/b?c=d&e=f",
            ]
        )
    }

    @Test(
        "refuses invalid hosts, and paths that lead to another origin",
        arguments: [
            ("files.example.com", "/a"), ("https://a.example/x", "/a"),
            ("https://a.example", "/../a"),
        ]
    )
    func invalid(host: String, path: String) async {
        let endpoint = HTTP.Endpoint<Void>(
            .get,
            HTTP.URL(unvalidated: path),
            host: HTTP.Origin(host),
            decoder: .nothing
        )

        let error = await #expect(throws: HTTP.RequestError.self) { try await endpoint.request() }

        expectEqual(error?.code, .invalidURL)
    }

    @Test("throws for a status that it doesn't decode, and releases the body")
    func status() throws {
        let stream = CountingStream(chunks: 100)
        let error = #expect(throws: HTTP.ContentError.self) {
            try Simulation.run { simulation in
                let transport = ScriptedTransport<HTTP.Request>(replies: [
                    .reply(HTTP.Response(404, body: .oneShot(stream)))
                ])
                _ = try await client(simulation, transport).call(.order("7"))
            }
        }

        expectEqual(error?.code, .unexpectedStatus)
        expectEqual(error.map(FailurePattern.status(404).matches), true)
        expectEqual(
            error?.message,
            "GET /orders/7 was answered with 404 Not Found, from which Order cannot be read. Put an "
                + "error filter into the client's chain to see the reason."
        )
        expectEqual(stream.cancels, 1)
    }

    @Test("accepts other statuses if told to, and can configure each call")
    func accepting() throws {
        let (status, headers) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(404)])
            let client = try simulation.client(transport) {
                DefaultHeadersInterceptor(["X-A": "b"])
            }
            var endpoint = HTTP.Endpoint<HTTP.Response>(
                .get,
                "https://a.example/",
                decoder: .response
            )
            endpoint.accepts = { $0 == 404 }
            endpoint.configure = { $0.addsDefaultHeaders = false }
            return (try await client.call(endpoint).status, transport.sent[0].input.headers)
        }

        expectEqual(status, 404)
        expectTrue(headers.isEmpty)
    }

    @Test("shows neither the value it sends nor secret query parameters")
    func description() {
        let endpoint = HTTP.Endpoint<Order>(
            .post,
            "/x?token=geheim",
            host: "https://a.example",
            query: ["pin": "geheim"],
            sending: Order(name: "geheim"),
            by: .json,
            decoder: .json
        )
        var dumped = ""

        dump(endpoint, to: &dumped)

        expectTrue(!"\(endpoint)".contains("geheim") && !dumped.contains("geheim"))
        expectTrue("\(endpoint)".hasPrefix("POST https://a.example/x"))
    }

    @Test("passes the outcome to a completion once, also on failure")
    func completion() async throws {
        let all = try await onEverySeed(0..<200) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .json(#"{"name":"tea"}"#), .fail(Problem()),
            ])
            let client = try client(simulation, transport)
            let results = Recorder<String>()
            for _ in 0..<2 {
                let call = client.start(.order("7")) { result in
                    switch result {
                    case .success(let order): results.note(order.name)
                    case .failure(let error): results.note("\(type(of: error))")
                    }
                }
                await call.end()
            }
            return results.entries
        }

        expectEqual(all, ["tea", "Problem"])
    }

    @Test("starts a plain request too, and passes its response to a completion")
    func request() async throws {
        let all = try await onEverySeed(0..<50) { simulation in
            let gate = Gate()
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(204), .status(200).held(at: gate),
            ])
            let client = try client(simulation, transport)
            let results = Recorder<String>()
            @Sendable func note(_ result: Result<HTTP.Response, any Error>) {
                results.note((try? result.get()).map { "\($0.status.code)" } ?? "cancelled")
            }
            await client.start(.get("/orders/7"), completion: note).end()
            let second = client.start(.get("/orders/8"), completion: note)
            second.cancel()
            await second.end()
            return results.entries
        }

        expectEqual(all, ["204", "cancelled"])
    }

    @Test("reports any cancellation to the completion, however early")
    func cancelling() async throws {
        let all = try await onEverySeed(0..<200) { simulation in
            let gate = Gate()
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .json("1").held(at: gate), .json("2").held(at: gate), .json("3").held(at: gate),
            ])
            let client = try client(simulation, transport)
            let results = Recorder<String>()
            @Sendable func note(_ result: Result<Order, any Error>) {
                results.note(result.isCancelled ? "cancelled" : "other")
            }
            let first = client.start(.order("1"), completion: note)
            first.cancel()
            let second = client.start(.order("2"), completion: note)
            client.cancelAll()
            let third = client.start(.order("3"), completion: note)
            try await simulation.runtime.sleep(for: .seconds(1))
            client.cancelAll()
            for call in [first, second, third] { await call.end() }
            expectEqual(client.openCalls, 0)
            return results.entries
        }

        expectEqual(all, ["cancelled", "cancelled", "cancelled"])
    }

    @Test("continues the call when nobody holds its handle")
    func unheld() throws {
        let names = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .json(#"{"name":"tea"}"#).delayed(by: .seconds(1))
            ])
            let client = try client(simulation, transport)
            let results = Recorder<String>()
            client.start(.order("7")) { results.note((try? $0.get())?.name ?? "none") }
            try await simulation.runtime.sleep(for: .seconds(2))
            return results.entries
        }

        expectEqual(names, ["tea"])
    }

    @Test("calls a completion on the actor that it names")
    @MainActor
    func isolation() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"name":"tea"}"#)])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            BaseURLInterceptor("https://a.example")
        }
        var name: String?

        let call = client.start(.order("7")) { @MainActor result in name = try? result.get().name }
        await call.end()

        expectEqual(name, "tea")
    }
}

extension Result {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
