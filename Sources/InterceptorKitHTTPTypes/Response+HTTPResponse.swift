#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPResponse {
    /// Creates the head of a response, without its body.
    /// - Throws: An `HTTP.RequestError` that names the part: a status without three digits, or an invalid
    ///   field.
    public init(_ response: HTTP.Response) throws(HTTP.RequestError) {
        self.init(
            status: try Status(response.status),
            headerFields: try HTTPFields(response.headers)
        )
    }
}

extension HTTP.Response {
    /// Creates a response from its head and body.
    /// - Parameters:
    ///   - response: The head, whose reason phrase is dropped.
    ///   - body: The content. Defaults to none.
    ///   - request: The request of the response. Defaults to none.
    /// - Throws: An `HTTP.RequestError` that names a field whose value is not UTF-8.
    public init(
        _ response: HTTPResponse,
        body: HTTP.Body = .empty,
        request: HTTP.Request? = nil
    ) throws(HTTP.RequestError) {
        self.init(
            HTTP.Status(response.status),
            headers: try HTTP.Headers(response.headerFields),
            body: body,
            request: request
        )
    }
}
#endif
