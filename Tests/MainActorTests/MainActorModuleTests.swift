import Dispatch
import InterceptorKit
import InterceptorKitTesting
import Testing

// The module's types belong to the main actor, as those of a new app target do.

struct Order: Decodable, Equatable { var id: Int }

/// Where it was decoded. On Linux the main queue need not run on the main thread.
struct Place: Decodable {
    static let key = DispatchSpecificKey<Bool>()

    let isMainQueue: Bool

    init(from decoder: any Decoder) {
        isMainQueue = DispatchQueue.getSpecific(key: Self.key) ?? false
    }
}

extension HTTP.Endpoint {
    static func order(_ id: Int) -> Self where Output == Order {
        Self(.get, "https://a.example/orders/\(id)", decoder: .json)
    }
}

struct Tenant: Interceptor {
    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.proceed { $0.headers["X-Tenant"] = "acme" }
    }
}

@Suite("A module with defaultIsolation(MainActor.self)")
struct MainActorModuleTests {
    @Test("decodes a type of its own")
    func decoding() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.json(#"{"id":7}"#)])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            RetryInterceptor()
            Tenant()
        }

        let order = try await client.send(.get("https://a.example/orders/7")).decode(Order.self)

        #expect(order == Order(id: 7))
        #expect(transport.sent.map { $0.input.headers["X-Tenant"] } == ["acme"])
    }

    @Test("decodes a type of its own out of an envelope")
    func envelope() async throws {
        let transport = ScriptedTransport<HTTP.Request>(
            replies: [.json(#"{"code":0,"data":{"id":7}}"#)]
        )
        let client = HTTP.Client(transport: transport, timeout: nil)

        let order = try await client.send(.get("https://a.example/orders/7"))
            .decode(Order.self, in: HTTP.ResponseEnvelope())

        #expect(order == Order(id: 7))
    }

    @Test("decodes a type of its own by an endpoint")
    func endpoint() async throws {
        let client = HTTP.Client(transport: replies(#"{"id":7}"#), timeout: nil)

        let order = try await client.call(.order(7))

        #expect(order == Order(id: 7))
    }

    @Test("names the type and the place that cannot be decoded by an endpoint")
    func mistakes() async throws {
        let client = HTTP.Client(
            transport: replies(#"{"id":"x"}"#, "", #"{"id":7}"#),
            timeout: nil
        )

        let mismatch = await failure { try await client.call(.order(7)) }
        let emptyBody = await failure { try await client.call(.order(7)) }
        let elsewhere = await failure { try await outside { try await client.call(.order(7)) } }

        #expect((mismatch as? HTTP.DecodingFailure)?.code == .mismatch)
        #expect((emptyBody as? HTTP.ContentError)?.code == .emptyBody)
        #expect((elsewhere as? HTTP.ContentError)?.code == .wrongActor)
    }

    @Test("decodes a type of its own on the main actor")
    func place() async throws {
        DispatchQueue.main.setSpecific(key: Place.key, value: true)
        let client = HTTP.Client(transport: replies("{}"), timeout: nil)
        let endpoint = HTTP.Endpoint<Place>(.get, "https://a.example/place", decoder: .json)

        let place = try await client.call(endpoint)

        #expect(place.isMainQueue)
    }

    @Test("starts an endpoint's call for a closure on the main actor")
    func started() async throws {
        let client = HTTP.Client(transport: replies(#"{"id":7}"#), timeout: nil)
        var order: Order?

        let call = client.start(.order(7)) { @MainActor result in order = try? result.get() }
        await call.end()

        #expect(order == Order(id: 7))
    }

    private func replies(_ bodies: String...) -> ScriptedTransport<HTTP.Request> {
        ScriptedTransport(replies: bodies.map { .json($0) })
    }

    private func failure(_ work: () async throws -> Order) async -> (any Error)? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error
        }
    }

    @concurrent
    private nonisolated func outside<Value: Sendable>(
        _ work: @Sendable @concurrent () async throws -> Value
    ) async throws -> Value { try await work() }

    @Test("runs interceptors on the main actor")
    func isolation() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let client = try HTTP.Client(transport: transport, timeout: nil, tracksCalls: false) {
            HookInterceptor<HTTP.Request>(before: { request, _ in request.method = .post })
        }

        let status = try await client.send(.get("https://a.example/orders")).status

        #expect(status == .ok)
    }
}
