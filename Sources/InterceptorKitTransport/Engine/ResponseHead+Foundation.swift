package import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

extension HTTPURLResponse: HeaderSource {
    package func makeHeaders() -> HTTP.Headers { HTTP.Headers(self) }
}

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        self.init(status: HTTP.Status(response.statusCode), response)
    }

    /// Whether libcurl knows where the content ends: of several lengths it takes the last, and it takes a
    /// sign, and for too many digits the connection's end.
    func hasUsableLength(method: String?) -> Bool {
        method == "HEAD" || status == 204 || status == 304 || headers["Transfer-Encoding"] != nil
            || hasOneLength
    }
}
