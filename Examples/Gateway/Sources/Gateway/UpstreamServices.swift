import Hummingbird
import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitSigning
import Synchronization

extension Gateway {
    /// A service that wants signed requests and stops when its caller's time is over.
    static func serveOrders(port: Int) async throws {
        let keys = FixedSigningKeys([signingKey])
        let router = Router(context: GatewayContext.self)
        router.add(
            middleware: try ChainMiddleware {
                CallerDeadlineInterceptor(deadlineField)
                TimeoutInterceptor(total: .seconds(30))
                VerifyInterceptor(.hmac(HMACScheme(), keys: keys, nonces: NonceCache()))
            }
        )
        router.get("orders/:id") { _, context in
            try await Runtime.live.sleep(for: .milliseconds(5 + Runtime.live.random() % 20))
            let id = try context.parameters.require("id")
            let trace = context.serving.call?.traceContext?.traceID ?? ""
            return #"{"id":"\#(id)","items":3,"trace":"\#(trace)"}"#
        }
        router.post("orders") { request, context in
            _ = try await request.body.collect(upTo: 65_536)
            // So that some are under way whenever the process is killed.
            try await Runtime.live.sleep(for: .milliseconds(100))
            let signer = context.principal?.id ?? ""
            return EditedResponse(status: .created, response: #"{"from":"\#(signer)"}"#)
        }
        router.get("slow") { _, _ in
            try await Runtime.live.sleep(for: .seconds(3))
            return #"{"slow":true}"#
        }
        try await run(router, port)
    }

    /// A service that wants a token, which it gives out for 20 seconds.
    static func servePrices(port: Int) async throws {
        let tokens = Tokens()
        let router = Router(context: GatewayContext.self)
        router.add(
            middleware: try ChainMiddleware {
                CallerDeadlineInterceptor(deadlineField)
                TimeoutInterceptor(total: .seconds(30))
            }
        )
        router.post("token") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: tokens.issue()))
            )
        }
        router.get("prices/:id") { request, context in
            guard tokens.accepts(request.headers[.authorization]) else {
                throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
            }
            let id = try context.parameters.require("id")
            return "\((Int(id) ?? 0) * 7 % 50 + 1)"
        }
        try await run(router, port)
    }

    private static func run(_ router: Router<GatewayContext>, _ port: Int) async throws {
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        try await application.runService()
    }
}

private final class Tokens: Sendable {
    private let issued = Mutex<Set<String>>([])

    func issue() -> String {
        let token = String(Runtime.live.random(), radix: 36)
        issued.withLock { _ = $0.insert("Bearer \(token)") }
        return #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":20}"#
    }

    func accepts(_ field: String?) -> Bool {
        issued.withLock { $0.contains(field ?? "") }
    }
}
