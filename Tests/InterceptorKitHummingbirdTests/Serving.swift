#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import InterceptorKit
import InterceptorKitHummingbird

/// A context as programs have it.
struct Context: ServingRequestContext {
    var coreContext: CoreRequestContextStorage
    var serving: Serving

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        serving = Serving(source: source)
    }
}

typealias Handler = @Sendable (Request, Context) async throws -> Response

let fine: Handler = { _, _ in Response(status: .ok) }

/// An application of one handler behind a chain, which answers every path and the usual methods.
func application(
    origin: HTTP.Origin? = nil,
    over server: HTTPServerBuilder = .http1(),
    events: (any EventSink)? = nil,
    answering handler: @escaping Handler = fine,
    @InterceptorBuilder<HTTP.Request> behind interceptors: () -> [any Interceptor<HTTP.Request>] = {
        []
    }
) throws -> some ApplicationProtocol {
    let router = Router(context: Context.self)
    router.add(middleware: try ChainMiddleware(origin: origin, events: events, interceptors))
    for method in [HTTPRequest.Method.get, .head, .post, .put, .delete] {
        router.on("/", method: method, use: handler)
        router.on("**", method: method, use: handler)
    }
    return Application(
        router: router,
        server: server,
        configuration: .init(address: .hostname("127.0.0.1", port: 0))
    )
}

/// An interceptor from a closure.
func through(
    _ intercept: @escaping @Sendable (InterceptorChain<HTTP.Request>) async throws -> HTTP.Response
) -> AnyInterceptor<HTTP.Request> {
    AnyInterceptor("through", intercept)
}

/// What was noted, in order.
final class Notes<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])
    private let beginning = AsyncStream.makeStream(of: Void.self)

    var entries: [Entry] { state.withLock { $0 } }

    func note(_ entry: Entry) {
        state.withLock { $0.append(entry) }
        beginning.continuation.finish()
    }

    /// Returns when something has been noted; for one at a time.
    func wait() async { for await _ in beginning.stream {} }
}
#endif
