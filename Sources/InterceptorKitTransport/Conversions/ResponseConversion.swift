public import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension HTTP.Response {
    /// Creates a response from a Foundation response.
    ///
    /// The fields are as Foundation reports them: sorted by name, because it keeps no order, with repeated ones joined
    /// with `, ` except `Set-Cookie`, which is split again.
    /// - Parameters:
    ///   - response: The head.
    ///   - body: The content. Defaults to none.
    ///   - request: The request of the response. Defaults to none.
    public init(
        _ response: HTTPURLResponse,
        body: HTTP.Body = .empty,
        request: HTTP.Request? = nil
    ) {
        self.init(
            HTTP.Status(response.statusCode),
            headers: HTTP.Headers(response),
            body: body,
            request: request
        )
    }
}

extension HTTP.Headers {
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields
            .compactMap { key, value -> (name: String, value: String)? in
                guard let name = key as? String, let value = value as? String else { return nil }
                return (name, value)
            }
            .sorted { $0.name < $1.name }
        self.init()
        for (name, value) in fields {
            guard name.lowercased() == "set-cookie" else {
                append(name: name, value: value)
                continue
            }
            for cookie in splitSetCookie(value) { append(name: name, value: cookie) }
        }
    }

    /// The fields that hold for a body that was decoded in transit (RFC 9110 section 8.4).
    func describingDecodedBody() -> HTTP.Headers {
        guard let codings = self["Content-Encoding"], isDecodedByFoundation(codings) else {
            return self
        }
        var headers = self
        headers["Content-Encoding"] = nil
        headers["Content-Length"] = nil
        return headers
    }
}

private func isDecodedByFoundation(_ codings: String) -> Bool {
    #if canImport(FoundationNetworking)
    let decoded = ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"]
    #else
    let decoded = ["gzip", "x-gzip", "deflate", "br", "identity"]
    #endif
    return codings.split(at: ",").allSatisfy { coding in
        let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
        let scalars = coding.unicodeScalars.drop(while: isBlank)
        guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return true }
        return decoded.contains(String(scalars[...last]).lowercased())
    }
}

extension HTTPURLResponse {
    /// Creates a Foundation response from a response's head; `nil` if there is no URL.
    ///
    /// Repeated fields are joined with `, `, as Foundation does.
    /// - Parameters:
    ///   - response: The response.
    ///   - url: The URL of the response. Defaults to that of its request.
    public convenience init?(_ response: HTTP.Response, url: Foundation.URL? = nil) {
        let own = response.request.flatMap { Foundation.URL(string: $0.url.text) }
        guard let url = url ?? own else { return nil }
        self.init(
            url: url,
            statusCode: response.status.code,
            httpVersion: "HTTP/1.1",
            headerFields: response.headers.joinedForFoundation()
        )
    }
}
