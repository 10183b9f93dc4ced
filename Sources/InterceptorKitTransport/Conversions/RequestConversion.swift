public import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest {
    /// Creates a Foundation request from a request.
    ///
    /// Repeated fields become one line, joined with `, ` (`Cookie` with `; `), because a `URLRequest` keeps
    /// one value per name; the engine sets `Content-Length`. A body that is not in memory is left out. A URL
    /// with a dot segment (`..` or `.`, also encoded), or with a `?` and nothing after it, is refused: the
    /// engine removes both on Linux, and a signature would not cover what it sends. So is one with brackets
    /// in its path or query, as in `?ids[]=1`, which Foundation takes as `%5B` and `%5D` only.
    /// - Parameters:
    ///   - request: The request; its URL must be complete.
    ///   - timeoutInterval: The longest silence of a connection, in seconds. Defaults to 60.
    /// - Throws: An `HTTP.RequestError` if the request cannot be sent as it is.
    public init(
        _ request: HTTP.Request,
        timeoutInterval: TimeInterval = 60
    ) throws(HTTP.RequestError) {
        try request.validate()
        try request.url.checkForFoundation()
        // Foundation would percent-encode or drop what it does not like; then it is not the same URL.
        guard
            let url = Foundation.URL(
                string: request.url.normalized.text,
                encodingInvalidCharacters: false
            )
        else {
            throw HTTP.RequestError(
                .invalidURL,
                "\(request.url) is not a URL to Foundation. Write brackets in its path or query as %5B and %5D "
                    + "(RFC 3986 section 3.2.2), or send it over another transport."
            )
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        guard httpMethod == request.method.rawValue else {
            throw HTTP.RequestError(
                .invalidMethod,
                "Foundation would send the method \(request.method) as \(httpMethod ?? "GET"), which is "
                    + "another one. Write it in capitals, or send it over another transport."
            )
        }
        // In one assignment: field by field costs ten times more, and loses the names' spelling.
        allHTTPHeaderFields = request.headers.joinedForFoundation(leavingOut: "content-length")
        if let data = request.body.inMemory, !data.isEmpty { httpBody = data }
        // By the property: the initializer's parameter has no effect on Linux.
        self.timeoutInterval = timeoutInterval
    }
}

extension HTTP.Request {
    /// Creates a request from a Foundation request.
    ///
    /// Fields are sorted by name, because Foundation keeps no order. A body stream becomes a body that can be
    /// read once. Timeouts and cache policy have no counterpart and are left out.
    /// - Throws: An `HTTP.RequestError` if there is no URL.
    public init(_ urlRequest: URLRequest) throws(HTTP.RequestError) {
        guard let url = urlRequest.url else {
            throw HTTP.RequestError(.invalidURL, "The URLRequest has no URL.")
        }
        let fields = (urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            HTTP.Method(rawValue: urlRequest.httpMethod ?? "GET"),
            HTTP.URL(unvalidated: url.absoluteString),
            headers: HTTP.Headers(fields.map { ($0.key, $0.value) }),
            body: HTTP.Body(urlRequest)
        )
    }
}

extension HTTP.Body {
    fileprivate init(_ urlRequest: URLRequest) {
        if let data = urlRequest.httpBody {
            self = .bytes(data)
        } else if let stream = urlRequest.httpBodyStream {
            self = .oneShot(InputStreamBody(stream))
        } else {
            self = .empty
        }
    }
}

extension HTTP.URL {
    /// Throws if the engine would send another target: libcurl below it resolves dot segments, newer ones
    /// encoded ones too, and forgets an empty query when it goes to another connection.
    fileprivate func checkForFoundation() throws(HTTP.RequestError) {
        guard hasDotSegment || query?.isEmpty == true else { return }
        throw HTTP.RequestError(
            .invalidURL,
            "URLSession would change \(self): it removes dot segments, and a ? with nothing after it. "
                + "Write the URL without them, or send it over another transport."
        )
    }
}
