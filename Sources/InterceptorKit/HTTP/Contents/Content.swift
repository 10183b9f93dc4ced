extension HTTP {
    /// A body and its media type, the result of encoding a value.
    public struct Content: Sendable {
        /// The bytes, a file or a stream.
        public var body: Body
        /// The media type, such as `application/json`; `nil` keeps the request's `Content-Type`, or the type of the
        /// body.
        public var mediaType: String?

        /// Creates content.
        /// - Parameters:
        ///   - body: The bytes, a file or a stream.
        ///   - mediaType: The media type. Defaults to that of the request.
        public init(_ body: Body, mediaType: String? = nil) {
            self.body = body
            self.mediaType = mediaType
        }

        init(made body: Body) { self.init(body, mediaType: body.mediaType) }
    }
}

extension HTTP.Request {
    /// Returns the request with this content and its media type.
    public func content(_ content: HTTP.Content) -> Self {
        var request = self
        request.body = content.body
        if let type = content.mediaType { request.headers["Content-Type"] = type }
        return request
    }

    /// Returns the request with parameters as an HTML form sends them: `application/x-www-form-urlencoded`, in UTF-8.
    ///
    /// A space is sent as `%20`, which every form reader accepts, as well as `+`.
    public func form(_ parameters: HTTP.Parameters) -> Self {
        sending(.form(parameters))
    }

    /// Returns the request with a body and, unless the request has a media type, that of the body.
    func sending(_ body: HTTP.Body) -> Self {
        var request = self
        request.body = body
        if let type = body.mediaType {
            request.headers.setIfAbsent(name: "Content-Type", value: type)
        }
        return request
    }

    /// Returns the request with the parts of a form, including files (RFC 7578).
    ///
    /// The parts are read while the request is sent. See ``HTTP/Multipart``.
    /// - Parameters:
    ///   - form: The parts.
    ///   - runtime: The source of the boundary's randomness. Defaults to the live runtime.
    /// - Throws: As ``HTTP/Multipart/content(on:)``.
    public func multipart(_ form: HTTP.Multipart, on runtime: Runtime = .live) throws -> Self {
        content(try form.content(on: runtime))
    }
}
