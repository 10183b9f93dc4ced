public import Foundation
public import HTTPTypes
public import InterceptorKit
import InterceptorKitHTTPTypes
public import OpenAPIRuntime

/// Runs interceptors over the transport of a generated client, whichever that is.
///
/// ```swift
/// let chain = try InterceptorClientMiddleware {
///     RetryInterceptor(policy: .standard)
///     TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
/// }
/// let client = Client(serverURL: url, transport: transport, middlewares: [chain])
/// ```
///
/// Interceptors may call what follows several times, as a retry does. What they leave under way when the call ends, such as
/// a revalidation by a cache, is cancelled. For a whole chain over an engine of this library use
/// ``InterceptorClientTransport``, which converts less.
public struct InterceptorClientMiddleware: ClientMiddleware {
    private let pipeline: Pipeline<HTTP.Request>

    /// Creates a middleware.
    /// - Parameters:
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A `PipelineError` that names the interceptor and the rule; what the closure throws.
    public init(
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () throws -> [any Interceptor<HTTP.Request>]
    ) throws {
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
            let following = Following(next, baseURL)
            var call = pipeline.makeCall()
            call.operationID = operationID
            call[FollowingKey.self] = following
            do {
                let response = try await pipeline.run(input, call: call)
                await following.end()
                return try response.forGeneratedCode
            } catch {
                await following.end()
                throw error
            }
        }
    }
}

private enum FollowingKey: CallKey {
    static let defaultValue: Following<URL>? = nil
}

/// Hands a request on to what follows the middleware.
private struct NextTransport: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let following = call[FollowingKey.self] else { throw CancellationError() }
        let (url, path) = request.url.split(at: following.context)
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
