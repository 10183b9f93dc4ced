public import Foundation
public import HTTPTypes
public import InterceptorKit
import InterceptorKitHTTPTypes
public import OpenAPIRuntime

/// Sends the requests of a generated client through a whole chain.
///
/// ```swift
/// let api = try HTTP.Client.standard(transport: CurlTransport())
/// let client = Client(serverURL: url, transport: InterceptorClientTransport(api))
/// ```
///
/// The server's URL and the operation's path make the request's URL. A server URL of `/` leaves it relative, for a chain
/// with a `BaseURLInterceptor`. A body that can be iterated once is sent once: no retry sends it again, and an
/// interceptor that does gets `HTTP.ContentError`. Bodies are streamed both ways. A response body that nobody reads is released with the response.
///
/// Errors of the chain arrive as the `underlyingError` of the generated client's `ClientError`, unchanged. Statuses are for
/// the generated code, so leave `ErrorFilterInterceptor` out of the chain.
public struct InterceptorClientTransport: ClientTransport {
    private let client: HTTP.Client

    /// Creates a transport.
    /// - Parameter client: The client whose chain every operation passes.
    public init(_ client: HTTP.Client) { self.client = client }

    public func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let response = try await client.send(
            try HTTP.Request(request, body: body, baseURL: baseURL)
        ) { $0.operationID = operationID }
        return try response.forGeneratedCode
    }
}
