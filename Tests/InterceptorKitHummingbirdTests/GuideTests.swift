// What the module's articles show.
#if Hummingbird
import Expectations
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import Testing

struct OrdersContext: ServingRequestContext {
    var coreContext: CoreRequestContextStorage
    var serving: Serving

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        serving = Serving(source: source)
    }
}

@Suite("The guide", .tags(.sockets), .serializedAcrossSuites)
struct HummingbirdGuideTests {
    @Test("serves a signed request and passes its call to the client")
    func together() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .reply(HTTP.Response(200, body: "12"))
        ])
        let keys = FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)])
        let verifier = MessageSignatureVerifier(keys: keys)

        let router = Router(context: OrdersContext.self)
        router.add(
            middleware: try ChainMiddleware(origin: "https://api.example.com") {
                CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"))
                TimeoutInterceptor(total: .seconds(30))
                ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
                VerifyInterceptor(.messageSignature(verifier))
            }
        )
        let prices = try HTTP.Client(transport: transport) {
            ServedCallInterceptor()
            BaseURLInterceptor("https://prices.example.com")
            RetryInterceptor(policy: .standard)
            DeadlineFieldInterceptor(.milliseconds("X-Request-Timeout-Ms"))
            TraceContextInterceptor()
        }
        router.get("orders/:id") { _, context in
            let price = try await prices.send(.get("/prices/7"))
            let who = context.principal?.id ?? "nobody"
            return "\(who) pays \(try await price.text())"
        }
        let fields = try await Self.signed("https://api.example.com/orders/7")

        try await Application(router: router).test(.router) { client in
            let unsigned = try await client.execute(uri: "/orders/7", method: .get)
            let signed = try await client.execute(uri: "/orders/7", method: .get, headers: fields)

            expectEqual(unsigned.status, .unauthorized)
            expectEqual(String(buffer: signed.body), "app-1 pays 12")
        }
        expectTrue(transport.sent.first?.input.headers["X-Request-Timeout-Ms"] != nil)
    }

    @Test("passes a call to the client explicitly with parentCall")
    func explicit() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let prices = try HTTP.Client(transport: transport, timeout: nil) {
            ServedCallInterceptor()
            BaseURLInterceptor("https://prices.example.com")
        }
        let router = Router(context: OrdersContext.self)
        router.add(middleware: try ChainMiddleware { CallerDeadlineInterceptor(.gRPC) })
        router.get("orders/:id") { _, context in
            let response = try await prices.send(.get("/prices/7")) { call in
                call.parentCall = context.serving.call
            }
            return "\(response.status)"
        }

        try await Application(router: router).test(.router) { client in
            let response = try await client.execute(uri: "/orders/7", method: .get)
            expectEqual(String(buffer: response.body), "200 OK")
        }
        expectTrue(transport.sent.first?.call.remaining != nil)
    }

    /// The fields of a signed request.
    private static func signed(_ url: HTTP.URL) async throws -> HTTPFields {
        let capture = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
        let signer = try HTTP.Client(transport: capture) {
            SignInterceptor(RequestSigner(MessageSignatureScheme(), key: key))
        }
        _ = try await signer.send(.get(url))
        var fields = HTTPFields()
        for field in capture.sent.first?.input.headers ?? [:] {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields[name] = field.value
        }
        return fields
    }
}
#endif
