/// Responds from a file or a value in place of the network, for stubs and previews.
///
/// ```swift
/// let api = try HTTP.Client(transport: URLSessionTransport()) {
///     BaseURLInterceptor("https://api.example.com/v1")
///     LocalResponseInterceptor { request in
///         request.url.path == "/v1/orders/7" ? .file("fixtures/order.json") : nil
///     }
/// }
/// ```
///
/// It is innermost, so the request is complete, and all interceptors above handle the response like a server's.
/// ``Call/localResponse`` gives one call its response and precedes the closure. A request without any response is sent.
///
/// The response gets a `Content-Length`, and a `Content-Type` from its body's source. A file is opened when the request
/// arrives, and read as the body is read; a missing one is an ``HTTP/ContentError``. The response to a `HEAD` has no body.
public struct LocalResponseInterceptor: Interceptor {
    /// A closure that returns the response to a request, or `nil` to send the request.
    public typealias Source = @Sendable (_ request: HTTP.Request) async throws -> HTTP.Response?

    private let source: Source

    /// Creates an interceptor.
    /// - Parameter source: Returns the response, or `nil` to send the request; an error ends the attempt. Defaults to
    ///   sending all requests but those of calls with a ``Call/localResponse``.
    public init(_ source: @escaping Source = { _ in nil }) { self.source = source }

    public var placement: Placement? { .localResponse }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        if let response = chain.call.localResponse {
            return try await response.asReceived(for: chain.input)
        }
        guard let response = try await source(chain.input) else {
            return try await chain.proceed()
        }
        return try await response.asReceived(for: chain.input)
    }
}

extension HTTP.Response {
    /// Returns the response as a transport would return it.
    fileprivate nonisolated(nonsending) func asReceived(
        for request: HTTP.Request
    ) async throws(HTTP.ContentError) -> HTTP.Response {
        var response = self
        response.request = request
        if let mediaType = body.mediaType {
            response.headers.setIfAbsent(name: "Content-Type", value: mediaType)
        }
        // RFC 9110 section 8.6: a 204 must not have the field, and a 304's field describes another response.
        if let length = body.length, ![204, 304].contains(status.code) {
            response.headers.setIfAbsent(name: "Content-Length", value: "\(length)")
        }
        if let file = body.file {
            response.body = .oneShot(length: body.length, try await FileStream.open(file))
        }
        if request.method == .head { response.body = .empty }
        return response
    }
}

private enum LocalResponse: CallKey {
    static let defaultValue: HTTP.Response? = nil
}

extension Call {
    /// The response that a ``LocalResponseInterceptor`` gives to this call's requests. Defaults to `nil`.
    ///
    /// ```swift
    /// let response = try await api.send(.get("/orders/7")) { call in
    ///     call.localResponse = .file("fixtures/order.json")
    /// }
    /// ```
    ///
    /// It has no effect in a chain without that interceptor. Each attempt and each redirect gets it again, so its body
    /// should be replayable: bytes or a file.
    public var localResponse: HTTP.Response? {
        get { self[LocalResponse.self] }
        set { self[LocalResponse.self] = newValue }
    }
}

extension HTTP.Response {
    /// Returns a response whose body is a file.
    /// - Parameters:
    ///   - path: The file's path. Its extension decides the `Content-Type`, unless `headers` have one.
    ///   - status: The status. Defaults to 200.
    ///   - headers: The header fields. Defaults to none.
    public static func file(
        _ path: String,
        status: HTTP.Status = 200,
        headers: HTTP.Headers = [:]
    ) -> HTTP.Response {
        var response = HTTP.Response(status, headers: headers, body: .file(path))
        if let mediaType = HTTP.mediaType(ofFile: path) {
            response.headers.setIfAbsent(name: "Content-Type", value: mediaType)
        }
        return response
    }
}
