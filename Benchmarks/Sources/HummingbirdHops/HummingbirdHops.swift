public import Hummingbird
public import Logging

/// Passes a request on.
public struct PassingMiddleware<Context: RequestContext>: RouterMiddleware {
    public init() {}

    public func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await next(request, context)
    }
}

/// A context without a connection behind it.
public struct HopContext: RequestContext {
    public struct Source: RequestContextSource {
        public let logger: Logger

        public init(logger: Logger) { self.logger = logger }
    }

    public var coreContext: CoreRequestContextStorage

    public init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}
