#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// An HTTP request as a value.
    ///
    /// A `BaseURLInterceptor` completes a URL without scheme and host. An invalid request (a malformed URL, a
    /// field with a line break) is refused with a ``RequestError`` before anything is sent.
    public struct Request: Sendable {
        /// The HTTP method.
        public var method: Method
        /// The URL the request is sent to, absolute or relative to the client's base URL.
        public var url: URL
        /// The header fields.
        public var headers: Headers
        /// The body.
        public var body: Body

        /// Creates a request.
        /// - Parameters:
        ///   - method: The HTTP method. Defaults to `GET`.
        ///   - url: The URL, absolute or relative to the client's base URL.
        ///   - query: Parameters to add to the URL, percent-encoded. Defaults to none.
        ///   - headers: The header fields. Defaults to none.
        ///   - body: The body. Defaults to none. Without a `Content-Type` in `headers`, a client uses the type that the
        ///     body was made with.
        public init(
            _ method: Method = .get,
            _ url: URL,
            query: Parameters = [:],
            headers: Headers = [:],
            body: Body = .empty
        ) {
            self.method = method
            self.url = url.appending(query: query)
            self.headers = headers
            self.body = body
        }

        /// The request with a `Content-Type` for its body: the ``Body/mediaType`` that the body was made with, or else
        /// `application/octet-stream` (RFC 9110 section 8.3). Unchanged if it already has one, or no body.
        ///
        /// Use it before you sign, because some engines add a missing `Content-Type`, which no signature covers.
        public var withContentType: Request {
            guard !body.isEmpty, !headers.contains("Content-Type") else { return self }
            var request = self
            request.headers.append(
                name: "Content-Type",
                value: body.mediaType ?? "application/octet-stream"
            )
            return request
        }
    }
}

extension HTTP.Request: Interceptable {
    public typealias Output = HTTP.Response

    /// The origin, as in `https://api.example.com`; `nil` for a relative URL.
    public var authority: String? { url.originText }

    /// Returns the origin of a request.
    public static func authority(of request: HTTP.Request) -> String? { request.authority }

    /// Returns whether the body can be sent more than once.
    public static func isReplayable(_ request: HTTP.Request) -> Bool { request.body.isReplayable }
}

extension HTTP.Request {
    /// Returns a `GET` request.
    public static func get(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:]
    ) -> Self {
        Self(.get, url, query: query, headers: headers)
    }

    /// Returns a `HEAD` request.
    public static func head(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:]
    ) -> Self {
        Self(.head, url, query: query, headers: headers)
    }

    /// Returns a `DELETE` request.
    public static func delete(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:]
    ) -> Self {
        Self(.delete, url, query: query, headers: headers)
    }

    /// Returns a `POST` request.
    public static func post(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.post, url, query: query, headers: headers, body: body)
    }

    /// Returns a `PUT` request.
    public static func put(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.put, url, query: query, headers: headers, body: body)
    }

    /// Returns a `PATCH` request.
    public static func patch(
        _ url: HTTP.URL,
        query: HTTP.Parameters = [:],
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.patch, url, query: query, headers: headers, body: body)
    }

    /// Returns the request with a value as its JSON body.
    /// - Throws: `EncodingError`.
    public func json(
        _ value: some Encodable,
        using encoder: JSONEncoder = JSONEncoder()
    ) throws -> Self {
        sending(try .json(value, using: encoder))
    }
}

extension HTTP.Request: CustomStringConvertible {
    /// The method and the URL with its secrets redacted.
    public var description: String { "\(method) \(url)" }
}
