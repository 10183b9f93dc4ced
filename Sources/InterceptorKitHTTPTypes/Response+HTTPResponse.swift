#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPResponse {
    /// Creates the head of a response; its body stays where it is.
    /// - Throws: A ``ConversionError`` that says what does not fit: a status that has not three digits, a
    ///   field that was refused.
    public init(_ response: HTTP.Response) throws(ConversionError) {
        self.init(
            status: try Status(response.status),
            headerFields: try HTTPFields(response.headers)
        )
    }
}

extension HTTP.Response {
    /// Creates a response from its head and body.
    /// - Parameters:
    ///   - response: The head. Its reason phrase means nothing and is left out.
    ///   - body: The content. Defaults to none.
    ///   - request: The request it answers.
    /// - Throws: A ``ConversionError`` that names a field whose value is not UTF-8.
    public init(
        _ response: HTTPResponse,
        body: HTTP.Body = .empty,
        request: HTTP.Request? = nil
    ) throws(ConversionError) {
        self.init(
            HTTP.Status(response.status),
            headers: try HTTP.Headers(response.headerFields),
            body: body,
            request: request
        )
    }
}
#endif
