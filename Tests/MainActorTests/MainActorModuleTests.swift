import InterceptorKit
import InterceptorKitTesting
import Testing

// The module's types belong to the main actor, as those of a new app target do.

struct Order: Decodable, Equatable { var id: Int }

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
        let client = try HTTP.Client(transport: transport) {
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
        let client = try HTTP.Client(transport: transport)

        let order = try await client.send(.get("https://a.example/orders/7"))
            .decode(Order.self, in: ResponseEnvelope())

        #expect(order == Order(id: 7))
    }

    @Test("runs interceptors on the main actor")
    func isolation() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let client = try HTTP.Client(transport: transport, tracksCalls: false) {
            HookInterceptor<HTTP.Request>(before: { request, _ in request.method = .post })
        }

        let status = try await client.send(.get("https://a.example/orders")).status

        #expect(status == .ok)
    }
}
