#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// An HTTP request as a value.
    ///
    /// A URL without scheme and host is completed by a `BaseURLInterceptor`. What cannot be sent (a
    /// malformed URL, a field with a line break) is refused with a ``RequestError`` before anything is.
    public struct Request: Sendable {
        /// What is asked for.
        public var method: Method
        /// Of what.
        public var url: URL
        /// More about it.
        public var headers: Headers
        /// The content.
        public var body: Body

        /// Creates a request.
        /// - Parameters:
        ///   - method: Defaults to `GET`.
        ///   - url: Complete, or relative to the client's base URL.
        ///   - query: Parameters to add to the URL, percent-encoded.
        ///   - headers: Defaults to none.
        ///   - body: Defaults to none.
        public init(
            _ method: Method = .get,
            _ url: URL,
            query: KeyValuePairs<String, String> = [:],
            headers: Headers = [:],
            body: Body = .empty
        ) {
            self.method = method
            self.url = url.appending(query: query.map { ($0.key, $0.value) })
            self.headers = headers
            self.body = body
        }

        /// Throws unless the request can be sent as it is.
        ///
        /// Called when a client sends and again by transports, since interceptors change requests.
        public func validate() throws(RequestError) {
            try validate(allowingRelativeURL: false)
        }

        func validate(allowingRelativeURL: Bool) throws(RequestError) {
            guard HTTP.isToken(method.rawValue) else {
                throw RequestError(
                    .invalidMethod,
                    "The method \(HTTP.printable(method.rawValue)) is not a token (RFC 9110 section "
                        + "9.1)."
                )
            }
            if let problem = headers.problem { throw problem }
            if !(allowingRelativeURL && url.isRelative) { try url.validate() }
            try validateFraming()
        }

        /// The request with a media type for its body: one without is `application/octet-stream`
        /// (RFC 9110 section 8.3).
        ///
        /// Said early, because engines that find none add one of their own, which no signature covers.
        var withContentType: Request {
            guard !body.isEmpty, !headers.contains("Content-Type") else { return self }
            var request = self
            request.headers["Content-Type"] = "application/octet-stream"
            return request
        }

        // Two ways of saying where a body ends are how requests are smuggled (RFC 9112 section 11.2).
        private func validateFraming() throws(RequestError) {
            if headers.contains("Transfer-Encoding") {
                throw RequestError(
                    .invalidField,
                    "Transfer-Encoding is set by the transport; remove it from the request."
                )
            }
            if let stated = headers["Content-Length"],
                Int(stated) == nil || Int(stated) != body.length
            {
                throw RequestError(
                    .invalidField,
                    "Content-Length does not agree with the body; remove it, the transport sets it."
                )
            }
        }
    }
}

extension HTTP.Request: Interceptable {
    public typealias Output = HTTP.Response
}

extension HTTP.Request {
    /// `GET`.
    public static func get(
        _ url: HTTP.URL,
        query: KeyValuePairs<String, String> = [:],
        headers: HTTP.Headers = [:]
    ) -> Self {
        Self(.get, url, query: query, headers: headers)
    }

    /// `HEAD`.
    public static func head(_ url: HTTP.URL, headers: HTTP.Headers = [:]) -> Self {
        Self(.head, url, headers: headers)
    }

    /// `DELETE`.
    public static func delete(_ url: HTTP.URL, headers: HTTP.Headers = [:]) -> Self {
        Self(.delete, url, headers: headers)
    }

    /// `POST`.
    public static func post(
        _ url: HTTP.URL,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.post, url, headers: headers, body: body)
    }

    /// `PUT`.
    public static func put(
        _ url: HTTP.URL,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.put, url, headers: headers, body: body)
    }

    /// `PATCH`.
    public static func patch(
        _ url: HTTP.URL,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> Self {
        Self(.patch, url, headers: headers, body: body)
    }

    /// Returns the request with a value as its JSON body.
    /// - Throws: `EncodingError`.
    public func json(
        _ value: some Encodable,
        using encoder: JSONEncoder = JSONEncoder()
    ) throws -> Self {
        var request = self
        request.body = try .json(value, using: encoder)
        request.headers.setIfAbsent("Content-Type", "application/json")
        return request
    }
}

extension HTTP.Request: CustomStringConvertible {
    /// The method and the URL with its secrets redacted.
    public var description: String { "\(method) \(url)" }
}

extension HTTP.Request: Addressed {
    /// The origin, as in `https://api.example.com`; `nil` for a relative URL.
    public var authority: String? { url.originText }

    /// Whether the URL's text begins with it.
    public func obviouslyGoes(to authority: String) -> Bool { url.begins(at: authority) }
}

extension HTTP.Request: Replayable {
    /// Whether the body can be sent more than once.
    public var isReplayable: Bool { body.isReplayable }
}
