public import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension HTTP.Client {
    /// Sends a `URLRequest` through this client's chain and returns the complete response, as `URLSession.data(for:)`
    /// does.
    ///
    /// It works with any engine. The request's timeout limits the call until the response's head, as the client's own
    /// does.
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The largest response body accepted, in bytes. Defaults to 16 MiB.
    /// - Throws: As `HTTP.Client.send(_:timeout:configure:)`; `HTTP.ContentError` if the body is larger.
    public func data(
        for request: URLRequest,
        upTo limit: Int = HTTP.Body.defaultLimit
    ) async throws -> (Data, HTTPURLResponse) {
        let seconds = min(max(request.timeoutInterval, 0.001), 1e9)
        let timeout = seconds.isNaN ? nil : Duration.seconds(seconds)
        let response = try await send(HTTP.Request(request), timeout: timeout)
        let data = try await response.body.collect(upTo: limit)
        guard let head = HTTPURLResponse(response, url: request.url) else {
            throw TransportError(.other, "Foundation does not take the response's head.")
        }
        return (data, head)
    }
}
