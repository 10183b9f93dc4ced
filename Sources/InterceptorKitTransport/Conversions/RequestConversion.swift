public import Foundation
public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest {
    /// Creates a Foundation request from a request whose body is in memory.
    ///
    /// Repeated fields become one line, joined with `, ` (`Cookie` with `; `), because a `URLRequest` keeps one value
    /// per name; the engine sets `Content-Length`. A file, a stream and a multipart form that has one are refused,
    /// because a `URLRequest` cannot carry them: ``init(_:collectingUpTo:timeoutInterval:)`` reads them into memory. A
    /// URL with a dot segment (`..` or `.`, also encoded), or with a `?` and nothing after it, is refused: the engine
    /// removes both on Linux, and a signature would not cover what it sends. A URL with brackets in its path or query,
    /// as in `?ids[]=1`, is refused too, because Foundation accepts them only as `%5B` and `%5D`.
    /// - Parameters:
    ///   - request: The request; its URL must be complete.
    ///   - timeoutInterval: The longest silence of a connection, in seconds. Defaults to that of the session, which is
    ///     60 unless its configuration says otherwise.
    /// - Throws: An `HTTP.RequestError` if the request cannot be sent unchanged.
    public init(
        _ request: HTTP.Request,
        timeoutInterval: TimeInterval? = nil
    ) throws(HTTP.RequestError) {
        guard request.body.inMemory != nil || request.body.isEmpty else {
            throw HTTP.RequestError(
                .invalidBody,
                "A URLRequest carries no body that is read while it is sent (\(request.body)). Make it with "
                    + "URLRequest(_:collectingUpTo:), which reads the body into memory."
            )
        }
        try self.init(head: request, timeoutInterval: timeoutInterval)
        httpBody = request.body.inMemory.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a Foundation request from a request with any body, which is read into memory.
    ///
    /// It is otherwise the same as ``init(_:timeoutInterval:)``. A body that can be read once is used up.
    /// - Parameters:
    ///   - request: The request; its URL must be complete.
    ///   - limit: The largest body that is read, in bytes. It does not apply to a body that is in memory already.
    ///   - timeoutInterval: The longest silence of a connection, in seconds. Defaults to that of the session, which is
    ///     60 unless its configuration says otherwise.
    /// - Throws: An `HTTP.RequestError` if the request cannot be sent unchanged, or its body is larger than the limit
    ///   or not of its stated length; the error of reading the body.
    public init(
        _ request: HTTP.Request,
        collectingUpTo limit: Int,
        timeoutInterval: TimeInterval? = nil
    ) async throws {
        try self.init(head: request, timeoutInterval: timeoutInterval)
        let body = try await request.body.collectForSending(upTo: limit)
        httpBody = body.isEmpty ? nil : body
    }

    init(
        head request: HTTP.Request,
        timeoutInterval: TimeInterval? = nil
    ) throws(HTTP.RequestError) {
        try request.validate()
        try request.url.checkForFoundation()
        // Foundation would percent-encode or drop characters that it refuses, which changes the URL.
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
        // In one assignment: setting single fields costs ten times more and loses the spelling of their names.
        allHTTPHeaderFields = request.headers.joinedForFoundation(leavingOut: "content-length")
        // The property is set, because the initializer's parameter has no effect on Linux.
        if let timeoutInterval { self.timeoutInterval = timeoutInterval }
    }
}

extension HTTP.Request {
    /// Creates a request from a Foundation request.
    ///
    /// Fields are sorted by name, because Foundation keeps no order. A body stream becomes a body that can be read
    /// once. Timeouts and cache policy have no counterpart and are left out.
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
    /// Throws if the engine would send another target: its libcurl resolves dot segments (newer versions also encoded
    /// ones), and drops an empty query when it switches to another connection.
    fileprivate func checkForFoundation() throws(HTTP.RequestError) {
        guard hasDotSegment || query?.isEmpty == true else { return }
        throw HTTP.RequestError(
            .invalidURL,
            "URLSession would change \(self): it removes dot segments, and a ? with nothing after it. "
                + "Write the URL without them, or send it over another transport."
        )
    }
}
