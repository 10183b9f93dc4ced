#if Hummingbird
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitHummingbird
import Synchronization

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
    passesOverload: Bool = true,
    over server: HTTPServerBuilder = .http1(),
    events: (any EventSink)? = nil,
    answering handler: @escaping Handler = fine,
    @InterceptorBuilder<HTTP.Request> behind interceptors: () -> [any Interceptor<HTTP.Request>] = {
        []
    }
) throws -> some ApplicationProtocol {
    let router = Router(context: Context.self)
    router.add(
        middleware: try ChainMiddleware(
            origin: origin,
            passesOverload: passesOverload,
            events: events,
            interceptors
        )
    )
    for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .options] {
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
    private struct State {
        var entries: [Entry] = []
        var waits: [(count: Int, end: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Lock(State())

    var entries: [Entry] { state.withLock(\.entries) }

    func note(_ entry: Entry) {
        let due = state.withLock { state in
            state.entries.append(entry)
            return state.waits.filter { $0.count == state.entries.count }
        }
        for wait in due { wait.end.finish() }
    }

    /// Returns when so many have been noted, or when the test's time is over.
    func wait(for count: Int = 1) async {
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        let isOver = state.withLock { state in
            state.waits.append((count, end))
            return state.entries.count >= count
        }
        if isOver { end.finish() }
        for await _ in stream {}
    }
}
#endif
