#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPRequest {
    /// Creates the head of a request; its body stays where it is.
    ///
    /// Scheme, authority and path stand as they are written; an empty path becomes `/`, which is the same
    /// (RFC 9110 section 4.2.3). A URL that is a path alone leaves scheme and authority `nil`.
    /// - Throws: A ``ConversionError`` that says what does not fit: a URL that is invalid or has a fragment, a
    ///   method that is not a token, a field that was refused.
    public init(_ request: HTTP.Request) throws(ConversionError) {
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
    /// - Throws: A ``ConversionError`` that says what does not fit: pseudo-header fields that make no URL,
    ///   as those of `CONNECT` and `OPTIONS *`, a field whose value is not UTF-8.
    public init(_ request: HTTPRequest, body: HTTP.Body = .empty) throws(ConversionError) {
        guard request.extendedConnectProtocol == nil else {
            throw ConversionError(
                .url,
                "An extended CONNECT cannot be expressed as an HTTP.Request."
            )
        }
        self.init(
            HTTP.Method(request.method),
            try Target(request).url(),
            headers: try HTTP.Headers(request.headerFields),
            body: body
        )
    }
}
#endif
