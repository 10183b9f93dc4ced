public import HTTPTypes
public import InterceptorKit
import InterceptorKitHTTPTypes
public import OpenAPIRuntime

/// Runs a chain of interceptors around the handlers of a generated server, over any server transport.
///
/// ```swift
/// let chain = try InterceptorServerMiddleware(origin: "https://api.example.com") {
///     ConcurrencyLimitInterceptor(policy: ConcurrencyLimitPolicy(limit: 200))
///     VerifyInterceptor(.messageSignature(verifier))
/// }
/// try handler.registerHandlers(on: transport, middlewares: [chain])
/// ```
///
/// Handlers find the call as `Call.served`, with its deadline, its trace and who calls: `Call.served?.principal`. The
/// operation is known to interceptors as `call.operationID`, and is chosen before the chain: a changed path does not choose
/// another.
///
/// An error that the chain throws, such as that of a limit, becomes the response of
/// `HTTP.Response(answering:ofAnotherService:passesOverload:)`. So does an error of a handler that comes from a client of
/// another service. Any other error goes on unchanged, for the runtime's `ErrorHandlingMiddleware`.
public struct InterceptorServerMiddleware: ServerMiddleware {
    private let pipeline: Pipeline<HTTP.Request>
    private let origin: HTTP.Origin?
    private let passesOverload: Bool

    /// Creates a middleware.
    /// - Parameters:
    ///   - origin: The origin that callers use for this service, such as `https://api.example.com`; signatures cover it.
    ///     Defaults to what the server's transport says of each request.
    ///   - passesOverload: Whether a 429 or 503 of another service becomes a 503 with its `Retry-After` instead of a 502.
    ///     Defaults to `true`.
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A `PipelineError` that names the interceptor and the rule; what the closure throws.
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
            transport: HandlerTransport(),
            runtime: runtime,
            events: events
        )
        self.origin = origin
        self.passesOverload = passesOverload
    }

    public func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        metadata: ServerRequestMetadata,
        operationID: String,
        next:
            @Sendable (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (
                HTTPResponse, HTTPBody?
            )
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let input = try received(request, body)
        return try await withoutActuallyEscaping(next) { next in
            let following = Following(next, metadata)
            var call = pipeline.makeCall()
            call.operationID = operationID
            call.traceContext = HTTP.TraceContext(input.headers)
            call[FollowingKey.self] = following
            let result: Result<HTTP.Response, any Error>
            do {
                result = .success(try await pipeline.run(input, call: call))
            } catch {
                result = .failure(error)
            }
            await following.end()
            do {
                return try result.get().forGeneratedCode
            } catch {
                guard let response = response(to: error) else { throw error }
                return try response.forGeneratedCode
            }
        }
    }

    private func received(_ request: HTTPRequest, _ body: HTTPBody?) throws -> HTTP.Request {
        var named = request
        named.scheme = origin?.scheme ?? request.scheme
        named.authority = origin?.authority ?? request.authority
        // Both or none make a URL; a request of HTTP/1.0 may lack a host.
        if named.scheme == nil || named.authority?.isEmpty != false {
            named.scheme = nil
            named.authority = nil
        }
        return try HTTP.Request(named, body: HTTP.Body(body))
    }

    private func response(to error: any Error) -> HTTP.Response? {
        guard let failure = error as? ServerError else {
            return HTTP.Response(answering: error, passesOverload: passesOverload)
        }
        // What says by itself how it is answered is left to the runtime.
        guard !(failure.underlyingError is any HTTPResponseConvertible) else { return nil }
        return HTTP.Response(
            answering: failure.underlyingError,
            ofAnotherService: true,
            passesOverload: passesOverload
        )
    }
}

private enum FollowingKey: CallKey {
    static let defaultValue: Following<ServerRequestMetadata>? = nil
}

/// Hands a request on to the handler, or to the next middleware.
private struct HandlerTransport: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let following = call[FollowingKey.self] else { throw CancellationError() }
        var head = try HTTPRequest(request)
        if request.url.origin == nil {
            head.scheme = nil
            head.authority = nil
        }
        let body = request.body.isEmpty ? nil : HTTPBody(request.body)
        let (response, content) = try await call.serve { [head] in
            try await following.send(head, body, following.context)
        }
        return try HTTP.Response(response, body: HTTP.Body(response: content), request: request)
    }
}
