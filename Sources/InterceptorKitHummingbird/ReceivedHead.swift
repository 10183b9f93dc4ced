#if Hummingbird
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes

/// The head of a request that came in, as a chain sees it.
struct ReceivedHead: Sendable {
    private let request: HTTP.Request

    /// - Parameter origin: Takes the place of what the request says of where it went.
    /// - Throws: An `HTTP.RequestError` for what an interceptor could not look at.
    init(_ original: HTTPRequest, origin: HTTP.Origin?) throws(HTTP.RequestError) {
        // Beside the head, since changing its own fields checks and copies them.
        let scheme = origin?.scheme ?? original.scheme
        let authority = origin?.authority ?? original.authority
        // A request of HTTP/1.0 may not say where it went.
        let isNamed = authority?.isEmpty == false && scheme != nil
        request = try HTTP.Request(
            original,
            scheme: isNamed ? scheme : nil,
            authority: isNamed ? authority : nil,
            body: .empty
        )
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
