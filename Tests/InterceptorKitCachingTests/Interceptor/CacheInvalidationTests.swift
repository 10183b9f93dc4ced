import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CacheInterceptor and unsafe requests")
struct CacheInvalidationTests {
    private static let related: HTTP.URL = "https://api.example.com/orders/7"
    private static let foreign: HTTP.URL = "https://other.example.com/orders"

    /// Stores three URLs, sends a request for the first, and says which of them the server is asked for
    /// again.
    private static func asked(
        after method: HTTP.Method,
        answered status: HTTP.Status,
        _ fields: HTTP.Headers,
        in simulation: Simulation
    ) async throws -> [String] {
        let service = try CachedService(simulation) { request, _ in
            guard request.method == .get else { return HTTP.Response(status, headers: fields) }
            return HTTP.Response(200, headers: ["Cache-Control": "max-age=60"], body: "x")
        }
        let urls = [orders, related, foreign]
        for url in urls { _ = try await service.client.send(.get(url)).text() }

        let body: HTTP.Body = method == "TRACE" ? .empty : "1"
        _ = try await service.client.send(HTTP.Request(method, orders, body: body)).text()
        let before = service.sends
        for url in urls { _ = try await service.client.send(.get(url)).text() }
        return service.transport.sent.dropFirst(before).map { "\($0.input.url)" }
    }

    @Test("reports a URL as the client's redaction shows it")
    func redaction() async throws {
        var redaction = Redaction.standard
        redaction.hiddenNames.insert("patient")
        let sink = RecordingEventSink()
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)]),
            timeout: nil,
            events: sink,
            redaction: redaction
        ) { CacheInterceptor(partition: .oneIdentity) }

        _ = try await client.send(.post("https://a.example/records?patient=7"))

        let event = sink.events.first { $0.name == .cacheInvalidated }
        expectEqual(event?.attributes["url"], .text("https://a.example/records?patient=██"))
    }

    @Test(
        "a success invalidates the stored responses for its URL",
        arguments: [
            HTTP.Method.post, .put, .patch, .delete, "PURGE",
        ],
        [HTTP.Status(200), 204, 303]
    )
    func success(method: HTTP.Method, status: HTTP.Status) async throws {
        let asked = try await onEverySeed(0..<3) { simulation in
            try await Self.asked(after: method, answered: status, [:], in: simulation)
        }

        expectEqual(asked, ["\(orders)"])
    }

    @Test(
        "URLs that the response names are invalidated on the same origin only",
        arguments: ["Location", "Content-Location"],
        ["/orders/7", #"\orders\7"#, #"https:\\api.example.com\orders/7"#]
    )
    func named(field: String, target: String) async throws {
        let own = try await onEverySeed(0..<3) { simulation in
            try await Self.asked(after: .post, answered: 201, [field: target], in: simulation)
        }
        let foreign = try await onEverySeed(0..<3) { simulation in
            let fields: HTTP.Headers = [field: "\(Self.foreign)"]
            return try await Self.asked(after: .post, answered: 201, fields, in: simulation)
        }

        expectEqual(own, ["\(orders)", "\(Self.related)"])
        expectEqual(foreign, ["\(orders)"])
    }

    @Test("every partition and every variant of the URL is invalidated")
    func everywhere() async throws {
        try await onEverySeed(0..<3) { simulation in
            let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "Vary": "X-A"]
            let service = try CachedService(simulation, fields)
            let readers: [HTTP.Headers] = [
                ["Authorization": "Bearer a"], ["Authorization": "Bearer b"],
                ["Authorization": "Bearer b", "X-A": "1"],
            ]
            for reader in readers { _ = try await service.text(reader) }

            _ = try await service.client.send(.delete(orders)).text()
            for reader in readers { _ = try await service.text(reader) }

            expectEqual(service.sends, 7)
        }
    }

    @Test("a call that bypasses the cache invalidates too")
    func leftOut() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            _ = try await service.text()
            _ = try await service.client.send(.post(orders), configure: { $0.usesCache = false })

            try await expectEqual(service.get().cacheStatus, .miss)
        }
    }
}
