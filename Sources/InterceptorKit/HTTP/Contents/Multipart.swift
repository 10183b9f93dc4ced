extension HTTP {
    /// A form with files: the parts of `multipart/form-data` (RFC 7578).
    ///
    /// ```swift
    /// let form = HTTP.Multipart([
    ///     .field("title", "At the sea"),
    ///     .file("photo", at: "7.jpg", mediaType: "image/jpeg"),
    /// ])
    /// let response = try await client.send(.post("/photos").multipart(form))
    /// ```
    ///
    /// Files and streams are read while they are sent and are never completely in memory. The body can be sent again if
    /// every part can, and its length is known if every part's is. If the length of a file changes meanwhile, the send
    /// ends with a ``HTTP/ContentError``.
    ///
    /// Names and file names are escaped as in browsers (WHATWG HTML, multipart/form-data encoding algorithm): a quote
    /// is `%22`, a line break `%0D%0A`, other characters are UTF-8. A boundary of your own is refused if it occurs in a
    /// part in memory.
    public struct Multipart: Sendable {
        /// The parts, in order.
        public var parts: [Part]

        /// The separator between the parts; `nil` for a random one.
        public var boundary: String?

        /// Creates a form.
        /// - Parameters:
        ///   - parts: The parts, in order. Defaults to none.
        ///   - boundary: The separator between the parts: a token of at most 70 characters (RFC 2046 section
        ///     5.1.1). Defaults to a random one.
        public init(_ parts: [Part] = [], boundary: String? = nil) {
            self.parts = parts
            self.boundary = boundary
        }

        /// A part of a form.
        public struct Part: Sendable {
            /// The name of the form's field.
            public var name: String
            /// The original name of the file; `nil` for a part that isn't a file.
            public var filename: String?
            /// The part's header fields, such as its `Content-Type`.
            public var headers: Headers
            /// The content.
            public var body: Body

            /// Creates a part.
            /// - Parameters:
            ///   - name: The name of the form's field.
            ///   - body: The content: bytes, a file or a stream.
            ///   - filename: The original name of the file. Defaults to none.
            ///   - mediaType: The content's media type. Defaults to none, which means text.
            ///   - headers: The part's header fields. Defaults to none.
            public init(
                _ name: String,
                _ body: Body,
                filename: String? = nil,
                mediaType: String? = nil,
                headers: Headers = [:]
            ) {
                self.name = name
                self.filename = filename
                self.headers = headers
                self.body = body
                if let mediaType { self.headers["Content-Type"] = mediaType }
            }

            /// Returns a part with text.
            public static func field(_ name: String, _ value: String) -> Part {
                Part(name, .text(value))
            }

            /// Returns a part with a file.
            /// - Parameters:
            ///   - name: The name of the form's field.
            ///   - path: The file's path.
            ///   - filename: The file name for the server. Defaults to the path's last component.
            ///   - mediaType: The file's media type. Defaults to `application/octet-stream`.
            public static func file(
                _ name: String,
                at path: String,
                filename: String? = nil,
                mediaType: String = "application/octet-stream"
            ) -> Part {
                let last = path.split(at: "/").last.map(String.init) ?? path
                return Part(name, .file(path), filename: filename ?? last, mediaType: mediaType)
            }
        }
    }
}
