public import Foundation
public import HTTPTypes
public import InterceptorKit
import InterceptorKitHTTPTypes
public import OpenAPIRuntime
import Synchronization

/// Runs interceptors over the transport of a generated client, whichever that is.
///
/// ```swift
/// let client = Client(
///     serverURL: try Servers.Server1.url(),
///     transport: transport,
///     middlewares: [
///         try InterceptorClientMiddleware {
///             RetryInterceptor(policy: .standard)
///             TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
///         }
///     ]
/// )
/// ```
///
/// Interceptors may call what follows several times, as a retry does. A transport below that buffers bodies goes on to.
/// For a whole chain over an engine of this library use ``InterceptorClientTransport``, which converts less.
public struct InterceptorClientMiddleware: ClientMiddleware {
    private let pipeline: Pipeline<HTTP.Request>

    /// Creates a middleware.
    /// - Parameters:
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A `PipelineError` that names the interceptor and the rule.
    public init(
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws(PipelineError) {
        pipeline = try Pipeline(
            interceptors(),
            transport: NextTransport(),
            runtime: runtime,
            events: events
        )
    }

    public func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String,
        next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let input = try HTTP.Request(request, body: body, baseURL: baseURL)
        return try await withoutActuallyEscaping(next) { next in
            // Values of a call may outlive it, and what follows must not.
            let following = Following(next, baseURL)
            defer { following.end() }
            var call = pipeline.makeCall()
            call.operationID = operationID
            call[FollowingKey.self] = following
            return try await pipeline.run(input, call: call).forGeneratedCode
        }
    }
}

private enum FollowingKey: CallKey {
    static let defaultValue: Following? = nil
}

/// What follows a middleware, while its call lasts.
private final class Following: Sendable {
    typealias Next =
        @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)

    let baseURL: URL
    private let next: Mutex<Next?>

    init(_ next: @escaping Next, _ baseURL: URL) {
        self.baseURL = baseURL
        self.next = Mutex(next)
    }

    func end() { next.withLock { $0 = nil } }

    func send(_ request: HTTPRequest, _ body: HTTPBody?, _ url: URL) async throws -> (
        HTTPResponse, HTTPBody?
    ) {
        guard let next = next.withLock({ $0 }) else { throw CancellationError() }
        return try await next(request, body, url)
    }
}

/// Hands a request on to what follows the middleware.
private struct NextTransport: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let following = call[FollowingKey.self] else { throw CancellationError() }
        let (url, path) = request.url.split(at: following.baseURL)
        let head = HTTPRequest(
            method: try HTTPRequest.Method(request.method),
            scheme: nil,
            authority: nil,
            path: path,
            headerFields: try HTTPFields(request.headers)
        )
        let body = request.body.isEmpty ? nil : HTTPBody(request.body)
        let (response, content) = try await following.send(head, body, url)
        return try HTTP.Response(response, body: HTTP.Body(response: content), request: request)
    }
}
