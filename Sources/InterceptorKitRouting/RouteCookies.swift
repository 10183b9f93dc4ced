import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A configuration's cookies, which Foundation leaves to the `URLProtocol`.
struct RouteCookies: Sendable {
    private let storage: HTTPCookieStorage
    private let areSent: Bool
    private let areKept: Bool

    init?(_ configuration: URLSessionConfiguration) {
        guard let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        areSent = configuration.httpShouldSetCookies
        areKept = configuration.httpCookieAcceptPolicy != .never
    }

    func field(for request: URLRequest) -> String? {
        guard areSent, request.httpShouldHandleCookies, let url = request.url,
            let cookies = storage.cookies(for: url), !cookies.isEmpty
        else { return nil }
        return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
    }

    func keep(_ headers: HTTP.Headers, from url: Foundation.URL, for request: URLRequest) {
        guard areKept, request.httpShouldHandleCookies else { return }
        for value in headers.values("Set-Cookie") {
            let cookies = HTTPCookie.cookies(
                withResponseHeaderFields: ["Set-Cookie": value],
                for: url
            )
            storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
        }
    }
}
