import Foundation
import HTTPTypes
import Hummingbird
public import InterceptorKit
import InterceptorKitHummingbird
import InterceptorKitSigning
import InterceptorKitTesting
import Logging
public import Measuring
public import NIOCore

/// A route that answers at once, and what stands before it.
public struct Service: Sendable {
    /// What figures are reported under.
    public let name: String
    let router: @Sendable () throws -> Router<ServedContext>

    /// The route without anything before it.
    public static let alone = Service(name: "the route alone") {
        Router(context: ServedContext.self)
    }

    /// The route behind a chain that does nothing.
    public static let behindEmptyChain = behindChain("ChainMiddleware, empty") {}

    /// The route behind a deadline, a time limit, a limit and verification.
    public static let behindVerification = behindChain("… with these and verification") {
        CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"))
        TimeoutInterceptor(total: .seconds(30))
        ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
        VerifyInterceptor(.hmac(HMACScheme(), keys: FixedSigningKeys([key])))
    }

    /// Every service; the first is the route alone.
    public static let all = [
        alone,
        Service(name: "a middleware that passes on") {
            let router = Router(context: ServedContext.self)
            router.add(middleware: PassingOn())
            return router
        },
        behindEmptyChain,
        behindChain("… with deadline, time limit and limit") {
            CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"))
            TimeoutInterceptor(total: .seconds(30))
            ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
        },
        behindVerification,
    ]

    /// What callers call every service.
    static let origin: HTTP.Origin = "https://api.example.com"
    private static let key = SigningKey(id: "app-1", secret: "not for production".utf8)

    private static func behindChain(
        _ name: String,
        @InterceptorBuilder<HTTP.Request>
        _ interceptors: @escaping @Sendable () -> [any Interceptor<HTTP.Request>]
    ) -> Service {
        Service(name: name) {
            let router = Router(context: ServedContext.self)
            router.add(middleware: try ChainMiddleware(origin: origin, interceptors))
            return router
        }
    }

    /// The fields of a signed GET of `/orders`, which every service is sent. They are believed for five
    /// minutes.
    public static func signedFields() async throws -> HTTP.Headers {
        let capture = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let signer = try HTTP.Client(transport: capture) {
            SignInterceptor(RequestSigner(HMACScheme(), key: key))
        }
        _ = try await signer.send(.get("\(origin)/orders"))
        var fields = capture.sent.first?.input.headers ?? [:]
        fields["X-Request-Timeout-Ms"] = "9000"
        return fields
    }

    /// Its router without a server, with a connection to watch that stays open.
    /// - Parameter watches: Whether the chain is shown the connection.
    public func workload(
        _ channel: any Channel,
        _ fields: HTTP.Headers,
        watches: Bool = true
    ) throws -> Workload {
        let responder = try complete().buildResponder()
        var head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: "/orders"
        )
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            head.headerFields[name] = field.value
        }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let logger = Logger(label: "serving")
        return Workload(watches ? name : "\(name), no connection", answer: 200) { count in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var sum = 0
            for _ in 0..<count {
                var context = ServedContext(source: source)
                if !watches { context.serving = Serving() }
                sum += try await responder.respond(to: request, context: context).status.code
            }
            return sum
        }
    }

    func complete() throws -> Router<ServedContext> {
        let router = try router()
        router.get("orders") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"orders":[]}"#))
            )
        }
        return router
    }
}

struct ServedContext: ServingRequestContext {
    var coreContext: CoreRequestContextStorage
    var serving: Serving

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        serving = Serving(source: source)
    }
}

private struct PassingOn: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServedContext,
        next: (Request, ServedContext) async throws -> Response
    ) async throws -> Response {
        try await next(request, context)
    }
}
