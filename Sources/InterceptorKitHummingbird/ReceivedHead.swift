#if Hummingbird
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes

/// The head of a received request, in the chain's form.
struct ReceivedHead: Sendable {
    private let request: HTTP.Request

    /// - Parameter origin: The origin that replaces the one in the request.
    /// - Throws: An `HTTP.RequestError` for a head that interceptors cannot represent.
    init(_ original: HTTPRequest, origin: HTTP.Origin?) throws(HTTP.RequestError) {
        // Separate variables, because changing the head checks and copies its fields.
        let scheme = origin?.scheme ?? original.scheme
        let authority = origin?.authority ?? original.authority
        // A request of HTTP/1.0 may lack a host.
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

    /// Whether the chain left the head unchanged.
    func isHead(of input: HTTP.Request) -> Bool {
        input.method == request.method && input.url == request.url
            && input.headers == request.headers
    }
}
#endif
