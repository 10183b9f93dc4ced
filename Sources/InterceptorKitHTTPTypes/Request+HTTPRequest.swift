#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPRequest {
    /// Creates the head of a request, without its body.
    ///
    /// Scheme, authority and path are copied as written; an empty path becomes `/`, which is equivalent (RFC 9110
    /// section 4.2.3). For a URL with only a path, scheme and authority are `nil`.
    /// - Throws: An `HTTP.RequestError` that names the part: a URL that is invalid or has a fragment, a method that is
    ///   not a token, an invalid field.
    public init(_ request: HTTP.Request) throws(HTTP.RequestError) {
        let target = try Target(request.url)
        self.init(
            method: try Method(request.method),
            scheme: target.scheme,
            authority: target.authority,
            path: target.path,
            headerFields: try HTTPFields(request.headers)
        )
    }
}

extension HTTP.Request {
    /// Creates a request from its head and body.
    /// - Parameters:
    ///   - request: The head.
    ///   - body: The content. Defaults to none.
    /// - Throws: An `HTTP.RequestError` that names the part: pseudo-header fields that do not form a URL, such as those
    ///   of `CONNECT` and `OPTIONS *`, or a field whose value is not UTF-8.
    public init(_ request: HTTPRequest, body: HTTP.Body = .empty) throws(HTTP.RequestError) {
        try self.init(
            request,
            scheme: request.scheme,
            authority: request.authority,
            body: body
        )
    }

    /// Creates a request with another scheme and authority than those in its head.
    package init(
        _ request: HTTPRequest,
        scheme: String?,
        authority: String?,
        body: HTTP.Body
    ) throws(HTTP.RequestError) {
        guard request.extendedConnectProtocol == nil else {
            throw HTTP.RequestError(
                .invalidURL,
                "An extended CONNECT cannot be expressed as an HTTP.Request."
            )
        }
        self.init(
            HTTP.Method(request.method),
            try Target(path: request.path, scheme: scheme, authority: authority).url(),
            headers: try HTTP.Headers(request.headerFields),
            body: body
        )
    }
}
#endif
