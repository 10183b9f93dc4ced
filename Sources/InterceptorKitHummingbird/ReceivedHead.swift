#if Hummingbird
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes

/// The head of a request that came in, as a chain sees it.
struct ReceivedHead: Sendable {
    private let request: HTTP.Request

    /// - Parameter origin: Takes the place of what the request says of where it went.
    /// - Throws: A `ConversionError` for what an interceptor could not look at.
    init(_ original: HTTPRequest, origin: HTTP.Origin?) throws(ConversionError) {
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

    /// Whether the chain changed nothing of it.
    func isHead(of input: HTTP.Request) -> Bool {
        input.method == request.method && input.url == request.url
            && input.headers == request.headers
    }
}
#endif
