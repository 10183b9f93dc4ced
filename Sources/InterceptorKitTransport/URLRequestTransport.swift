public import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest: Interceptable {
    /// The result of `URLSession.data(for:)` as a value.
    public typealias Output = URLDataResponse
}

/// A complete response with Foundation's types.
public struct URLDataResponse: Sendable {
    /// The body.
    public var data: Data
    /// The head.
    public var response: HTTPURLResponse

    /// Creates a response.
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The head.
    public init(data: Data, response: HTTPURLResponse) {
        self.data = data
        self.response = response
    }
}

/// Connects a chain of `URLRequest` to a transport of `HTTP.Request`.
///
/// ```swift
/// let pipeline = try Pipeline(transport: URLRequestTransport(URLSessionTransport())) {
///     LegacyHeaders()  // an Interceptor whose Input is URLRequest
/// }
/// let answer = try await pipeline.run(URLRequest(url: url))
/// ```
public struct URLRequestTransport: Transport {
    public typealias Input = URLRequest

    private let transport: any Transport<HTTP.Request>
    private let limit: Int

    /// Creates a transport of `URLRequest`.
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - limit: The largest response body accepted, in bytes. Defaults to 16 MiB.
    public init(_ transport: some Transport<HTTP.Request>, upTo limit: Int = HTTP.Body.defaultLimit)
    {
        self.transport = transport
        self.limit = limit
    }

    public func send(_ input: URLRequest, call: Call) async throws -> URLDataResponse {
        var call = call
        // The default, 60 seconds, cannot be told from a timeout that was not set.
        if input.timeoutInterval != 60 {
            call[IdleTimeout.self] = URLSessionTransport.Settings.idleSeconds(
                input.timeoutInterval
            )
        }
        let response = try await transport.send(HTTP.Request(input), call: call)
        let data = try await response.body.collect(upTo: limit)
        guard let head = HTTPURLResponse(response, url: input.url) else {
            throw TransportError(.other, "Foundation does not take the response's head.")
        }
        return URLDataResponse(data: data, response: head)
    }
}
