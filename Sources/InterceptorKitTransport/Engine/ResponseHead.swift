import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response before its body.
struct ResponseHead: Equatable {
    var status: HTTP.Status
    var headers: HTTP.Headers
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        status = HTTP.Status(response.statusCode)
        headers = HTTP.Headers(response)
    }

    /// Whether the method and status say that no content follows (RFC 9110 section 6.4.1).
    func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == 204 || status == 205 || status == 304
            || headers["Content-Length"] == "0"
    }
}
