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

    /// Whether libcurl finds the end of the content: of several lengths it takes the last, it accepts a sign, and with
    /// too many digits it reads until the connection's end.
    func hasUsableLength(method: String?) -> Bool {
        method == "HEAD" || status == 204 || status == 304 || headers["Transfer-Encoding"] != nil
            || hasOneLength
    }
}
