#if Hummingbird
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes

/// The head of a handler's response, both as received and converted.
struct HandlerResponseHead: Sendable {
    private let original: HTTPResponse
    private let response: HTTP.Response

    /// - Throws: An `HTTP.RequestError` for a head that interceptors cannot represent.
    init(_ original: HTTPResponse) throws(HTTP.RequestError) {
        self.original = original
        response = try HTTP.Response(original)
    }

    func response(to request: HTTP.Request, with body: HTTP.Body) -> HTTP.Response {
        HTTP.Response(response.status, headers: response.headers, body: body, request: request)
    }

    /// Returns the head of the chain's response; the handler's original if it is unchanged.
    func head(of output: HTTP.Response) throws(HTTP.RequestError) -> HTTPResponse {
        let isSame = output.status == response.status && output.headers == response.headers
        return isSame ? original : try HTTPResponse(output)
    }
}
#endif
