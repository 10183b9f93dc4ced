#if Hummingbird
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes

/// The head of a request that came in, in both forms.
struct ReceivedHead: Sendable {
    private let original: HTTPRequest
    private let request: HTTP.Request

    /// - Parameter origin: Takes the place of what the request says of where it went.
    /// - Throws: A `ConversionError` for what an interceptor could not look at.
    init(_ original: HTTPRequest, origin: HTTP.Origin?) throws(ConversionError) {
        self.original = original
        var named = original
        if let origin {
            named.scheme = origin.scheme
            named.authority = origin.authority
        }
        // A request of HTTP/1.0 may not say where it went.
        if named.authority?.isEmpty != false || named.scheme == nil {
            named.scheme = nil
            named.authority = nil
        }
        request = try HTTP.Request(named)
    }

    func request(with body: HTTP.Body) -> HTTP.Request {
        var request = request
        request.body = body
        return request
    }

    /// The head of what the chain made of it; as it came in if that is the same.
    func head(of input: HTTP.Request) throws(ConversionError) -> HTTPRequest {
        let isSame =
            input.method == request.method && input.url == request.url
            && input.headers == request.headers
        return isSame ? original : try HTTPRequest(input)
    }
}
#endif
