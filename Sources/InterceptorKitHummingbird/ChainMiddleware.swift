#if Hummingbird
public import Hummingbird
import InterceptorKitHTTPTypes
public import InterceptorKit

/// Runs a chain of interceptors around the rest of a router.
///
/// ```swift
/// let router = Router(context: OrdersContext.self)
/// router.add(
///     middleware: try ChainMiddleware(origin: "https://api.example.com") {
///         CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"))
///         TimeoutInterceptor(total: .seconds(30))
///         ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
///         VerifyInterceptor(.messageSignature(verifier))
///     }
/// )
/// ```
///
/// `VerifyInterceptor` is in `InterceptorKitSigning`.
///
/// Handlers see an interceptor's changes to the request, and the caller sees its changes to the response. The route is
/// chosen before the chain: a changed path or method does not choose another.
///
/// **Bodies** stream both ways, each read once and at the pace of its reader. A body that no interceptor reads or
/// replaces stays the router's own and costs nothing. A handler can read only what the chain was shown: over HTTP/2,
/// where a GET, HEAD, DELETE or OPTIONS may have content that no field announces, the chain begins when the first
/// content arrives or the request ends, before the chain's own time limits.
///
/// **Errors.** An `HTTPResponseError` of a handler is a response in the chain. An error that the chain throws becomes
/// the response of `HTTP.Response(answering:ofAnotherService:passesOverload:)`; any other error goes unchanged to the
/// middleware above.
///
/// **The call.** Handlers find the call in their context (``ServingRequestContext``) and as `Call.served`. It carries
/// the caller's trace.
///
/// **Cancellation.** When the server cancels a request, the chain and the handler are cancelled. With a
/// ``ServingRequestContext``, this also happens when the caller closes its connection.
public struct ChainMiddleware<Context: RequestContext>: RouterMiddleware {
    private let pipeline: Pipeline<HTTP.Request>
    private let runtime: Runtime
    private let events: (any EventSink)?
    private let origin: HTTP.Origin?
    private let passesOverload: Bool
    private let closeWatchers = ConnectionCloseWatchers()

    /// Creates a middleware.
    /// - Parameters:
    ///   - origin: The origin that callers use for this service, such as `https://api.example.com`, if a proxy is in
    ///     front of it; signatures cover it. Defaults to the host in each request, with `http`.
    ///   - passesOverload: Whether a 429 or 503 of another service, thrown by a handler as a `ResponseError`, becomes a
    ///     503 with its `Retry-After` instead of a 502. Defaults to `true`.
    ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A `PipelineError` that names the interceptor and the rule; the error of the closure.
    public init(
        origin: HTTP.Origin? = nil,
        passesOverload: Bool = true,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () throws -> [any Interceptor<
            HTTP.Request
        >]
    ) throws {
        pipeline = try Pipeline(
            interceptors(),
            transport: RouterTransport(),
            runtime: runtime,
            events: events
        )
        self.runtime = runtime
        self.events = events
        self.origin = origin
        self.passesOverload = passesOverload
    }

    @concurrent
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let head: ReceivedHead
        do {
            head = try ReceivedHead(request.head, origin: origin)
        } catch {
            // Interceptors cannot represent this request, so it goes no further.
            return Response(status: .badRequest)
        }
        let serving = (context as? any ServingRequestContext)?.serving
        let closeWatcher =
            if let channel = serving?.channel {
                await closeWatchers.closeWatcher(of: channel)
            } else {
                ConnectionCloseWatcher?.none
            }
        let received = head.request(
            with: try await ReceivedBody.content(
                of: request,
                isFramedByFields: serving?.isOnConnection == true
            )
        )
        let bridge = RequestBridge(request, head, context, serving, closeWatcher)
        let call = bridge.begin(Call(runtime: runtime, events: events), received)
        // Hummingbird's `next` captures only state that may be shared.
        return try await withoutActuallyEscaping(next) { next in
            bridge.open(next)
            let result = await closeWatcher.untilClosed { [pipeline] in
                try await pipeline.run(received, call: call)
            }
            await bridge.close()
            return try bridge.response(for: result, passesOverload: passesOverload)
        }
    }
}
#endif
