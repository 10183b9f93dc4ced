extension HTTP {
    /// A form with files, the parts of `multipart/form-data` (RFC 7578), or other content in parts (RFC 2046 section
    /// 5.1).
    ///
    /// ```swift
    /// let form = HTTP.Multipart([
    ///     .field("title", "At the sea"),
    ///     .file("photo", at: "7.jpg", mediaType: "image/jpeg"),
    /// ])
    /// let response = try await client.send(.post("/photos").multipart(form))
    /// ```
    ///
    /// A file with its description is `multipart/related`, with parts that have no names:
    ///
    /// ```swift
    /// let upload = HTTP.Multipart(
    ///     [.init(try .json(photo)), .init(.file("7.jpg"), mediaType: "image/jpeg")],
    ///     subtype: .related
    /// )
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

        /// What the parts are to each other.
        public var subtype: Subtype

        /// The separator between the parts; `nil` for a random one.
        public var boundary: String?

        /// What the parts of multipart content are to each other.
        public enum Subtype: String, Sendable {
            /// The fields of a form, by name (RFC 7578).
            case formData = "form-data"
            /// Independent parts, in order (RFC 2046 section 5.1.3).
            case mixed
            /// A first part and those that it refers to (RFC 2387), such as a description and its file. The media type
            /// names that of the first part.
            case related
            /// Versions of the same content, the best one last (RFC 2046 section 5.1.4).
            case alternative
        }

        /// Creates a form, or other content in parts.
        /// - Parameters:
        ///   - parts: The parts, in order. Defaults to none.
        ///   - subtype: What the parts are to each other. Defaults to the fields of a form.
        ///   - boundary: The separator between the parts: a token of at most 70 characters (RFC 2046 section
        ///     5.1.1). Defaults to a random one.
        public init(
            _ parts: [Part] = [],
            subtype: Subtype = .formData,
            boundary: String? = nil
        ) {
            self.parts = parts
            self.subtype = subtype
            self.boundary = boundary
        }

        /// A part of a form or of other multipart content.
        public struct Part: Sendable {
            /// The name of the form's field; empty outside of forms.
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

            /// Creates a part without a name, for content that is not a form.
            /// - Parameters:
            ///   - body: The content: bytes, a file or a stream.
            ///   - filename: The name of the file, which is sent as an attachment's (RFC 2183). Defaults to none.
            ///   - mediaType: The content's media type. Defaults to that which the body was made with, as for JSON.
            ///   - headers: The part's header fields, such as `Content-ID`. Defaults to none.
            public init(
                _ body: Body,
                filename: String? = nil,
                mediaType: String? = nil,
                headers: Headers = [:]
            ) {
                self.init(
                    "",
                    body,
                    filename: filename,
                    mediaType: mediaType ?? body.mediaType,
                    headers: headers
                )
            }

            /// Returns a part with parts of its own.
            /// - Parameters:
            ///   - content: The inner parts.
            ///   - name: The name of the form's field. Defaults to none, for content that is not a form.
            ///   - headers: The part's header fields. Defaults to none.
            ///   - runtime: The source of the inner boundary's randomness. Defaults to the live runtime.
            /// - Throws: As ``HTTP/Multipart/content(on:)``.
            public static func multipart(
                _ content: HTTP.Multipart,
                named name: String = "",
                headers: Headers = [:],
                on runtime: Runtime = .live
            ) throws -> Part {
                let content = try content.content(on: runtime)
                return Part(name, content.body, mediaType: content.mediaType, headers: headers)
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
