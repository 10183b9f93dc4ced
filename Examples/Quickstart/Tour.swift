import InterceptorKit
import InterceptorKitInspection
import InterceptorKitLoopback

/// A walk through the chain: four calls, what each shows, and what must come of it.
struct Tour {
    private struct Order: Decodable, Sendable {
        var id: Int
        var item: String
    }

    private let engine: Engine
    private let removed: String?
    private let page: Timeline

    /// - Parameters:
    ///   - engine: What carries the requests.
    ///   - removed: The type name of an interceptor to leave out.
    ///   - page: Keeps the calls, to show them afterwards.
    init(
        on engine: Engine = .urlsession,
        without removed: String? = nil,
        keeping page: Timeline = Timeline()
    ) {
        self.engine = engine
        self.removed = removed
        self.page = page
    }

    /// - Parameter show: Receives what a person should see.
    /// - Throws: What did not come out as it should.
    func run(_ show: @Sendable (String) -> Void) async throws {
        let service = OrderService()
        let server = try service.start()
        defer { server.stop() }
        let timeline = TextTimeline()
        let transport = try engine.transport()
        let reference = ClientReference()
        let interceptors = shopInterceptors(
            shop: server.origin,
            tokens: ShopTokens(client: reference),
            secret: OrderService.secret
        )
        let kept = interceptors.filter { "\(type(of: $0))".prefix { $0 != "<" } != removed ?? "" }
        try expect(
            removed == nil || kept.count < interceptors.count,
            "there is no \(removed ?? "") to leave out"
        )
        let events = CompositeEventSink([timeline, page])
        let client = try HTTP.Client(
            transport: transport,
            events: events,
            envelope: HTTP.ResponseEnvelope()
        ) { kept }
        reference.value = client
        defer { reference.value = nil }
        show("\(client)\n")

        show("1. An order, with a token that has expired: refreshed once, sent once more.")
        let first = try await client.send(.get("/orders/7"))
        try expect(first.attempts.count == 1, "a refresh cost the retry an attempt")
        let order = try await first.decode(Order.self)
        try expect(order.id == 7, "the wrong order came back")
        try expect(service.tokensIssued == 1, "\(service.tokensIssued) tokens were issued, not 1")
        show(timeline.drawn())

        show("2. A service that is busy: sent again when it asked to be, and signed again.")
        let second = try await client.send(.get("/orders/8"))
        try expect(second.attempts.count == 2, "the 503 was not tried again")
        try expect(try await second.decode(Order.self).id == 8, "the wrong order came back")
        show(timeline.drawn())

        show("3. A business error inside a 200: an error of its own, not a response.")
        do {
            _ = try await client.send(.post("/orders").json(["item": "teapot"]))
            throw BrokenExpectation("the business error came back as a success")
        } catch let error as ResponseError {
            try expect(error.businessCode == "1001", "the business code was lost")
            show(timeline.drawn())
            show("  \(error)\n")
        }

        show("4. Five calls at once after the token expired: one refresh for all of them.")
        service.expireToken()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...5 {
                group.addTask { _ = try await client.send(.get("/orders/\(id)")) }
            }
            try await group.waitForAll()
        }
        try expect(service.tokensIssued == 2, "\(service.tokensIssued - 1) refreshes, not 1")
        show("  tokens issued so far: \(service.tokensIssued)\n")
    }

    private func expect(_ holds: Bool, _ otherwise: String) throws {
        guard holds else { throw BrokenExpectation(otherwise) }
    }
}

struct BrokenExpectation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
