#if Hummingbird
public import Hummingbird
import InterceptorKitHTTPTypes
public import InterceptorKit

/// Passes each request through a chain of interceptors whose end is the rest of the router.
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
/// What an interceptor does to a request is what handlers see, and what it does to a response is what the
/// caller sees. The route was chosen before: a changed path or method does not choose another.
///
/// **Bodies** stream both ways, each read once and at the pace of its reader. One that no interceptor
/// reads or replaces is the router's own and costs nothing.
///
/// **Errors.** An `HTTPResponseError` of a handler is a response to the chain. What the chain throws is
/// answered as `HTTP.Response(answering:ofAnotherService:)` says; any other error goes on to the
/// middleware above as it is.
///
/// **The call.** Handlers find it in their context (``ServingRequestContext``) and as `Call.served`. It
/// carries the caller's trace.
///
/// **Cancellation.** When the server stops a request, all below is cancelled. With a
/// ``ServingRequestContext`` it is also when the caller closes its connection.
public struct ChainMiddleware<Context: RequestContext>: RouterMiddleware {
    private let pipeline: Pipeline<HTTP.Request>
    private let runtime: Runtime
    private let events: (any EventSink)?
    private let origin: HTTP.Origin?
    private let closeWatchers = ConnectionCloseWatchers()

    /// Creates a middleware.
    /// - Parameters:
    ///   - origin: What callers call this service, as in `https://api.example.com`, where a proxy stands
    ///     before it; signatures cover it. Defaults to what each request says, with `http`.
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing, which costs nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A `PipelineError` that names the interceptor and the rule.
    public init(
        origin: HTTP.Origin? = nil,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws(PipelineError) {
        pipeline = try Pipeline(
            interceptors(),
            transport: RouterTransport(),
            runtime: runtime,
            events: events
        )
        self.runtime = runtime
        self.events = events
        self.origin = origin
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
            // What no interceptor could look at goes no further.
            return Response(status: .badRequest)
        }
        let received = head.request(with: ReceivedBody.content(of: request))
        let serving = (context as? any ServingRequestContext)?.serving
        let closeWatcher =
            if let channel = serving?.channel {
                await closeWatchers.closeWatcher(of: channel)
            } else {
                ConnectionCloseWatcher?.none
            }
        let bridge = RequestBridge(request, head, context, serving, closeWatcher)
        let call = bridge.begin(Call(runtime: runtime, events: events), received)
        // Hummingbird's own closures hold nothing that may not be shared.
        return try await withoutActuallyEscaping(next) { next in
            bridge.open(next)
            let result = await closeWatcher.untilClosed { [pipeline] in
                try await pipeline.run(received, call: call)
            }
            await bridge.close()
            return try bridge.response(for: result)
        }
    }
}
#endif
