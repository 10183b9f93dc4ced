import InterceptorKit

extension HAR {
    /// A header field, or a query parameter.
    public struct Field: Codable, Sendable, Hashable {
        /// The name, as spelled in the message.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie in the archive format.
    public struct Cookie: Codable, Sendable, Hashable {
        /// The cookie's name.
        public var name: String
        /// The cookie's value.
        public var value: String

        /// Creates a cookie.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The request of an exchange.
    public struct Request: Codable, Sendable, Hashable {
        /// The method.
        public var method: String
        /// The URL, complete and without its fragment.
        public var url: String
        /// The version, as in `HTTP/1.1`, or `unknown`.
        public var httpVersion = "unknown"
        /// The cookies; this library leaves them empty, because it shows no cookie's value.
        public var cookies: [Cookie] = []
        /// The header fields, in order.
        public var headers: [Field]
        /// The URL's parameters, decoded.
        public var queryString: [Field]
        /// The content; `nil` if there was none, or none that could be recorded.
        public var postData: PostData?
        /// The head's size in bytes; -1 if unknown.
        public var headersSize = -1
        /// The body's size in bytes; -1 if unknown.
        public var bodySize: Int
        /// A comment.
        public var comment: String?

        /// Creates a request.
        public init(
            method: String,
            url: String,
            headers: [Field] = [],
            queryString: [Field] = [],
            postData: PostData? = nil,
            bodySize: Int = 0
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.queryString = queryString
            self.postData = postData
            self.bodySize = bodySize
        }
    }

    /// A field of a form that a request sends.
    public struct Parameter: Codable, Sendable, Hashable {
        /// The field's name, decoded.
        public var name: String
        /// The field's value or the file's content, decoded; `nil` if it was not recorded.
        public var value: String?
        /// The file's name; `nil` if the field isn't a file.
        public var fileName: String?
        /// The file's media type.
        public var contentType: String?

        /// Creates a field.
        public init(
            name: String,
            value: String?,
            fileName: String? = nil,
            contentType: String? = nil
        ) {
            self.name = name
            self.value = value
            self.fileName = fileName
            self.contentType = contentType
        }
    }

    /// A request's content.
    public struct PostData: Codable, Sendable, Hashable {
        /// The media type.
        public var mimeType: String
        /// The content as text.
        public var text: String?
        /// The fields of a form, which some recorders write instead of its text; this library writes none.
        public var params: [Parameter]?
        /// `base64` if the text is in base64; an extension of this library, because the format has no binary requests.
        public var encoding: String?
        /// A comment.
        public var comment: String?

        /// Creates content.
        public init(mimeType: String, text: String? = nil, encoding: String? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }
    }

    /// The response of an exchange.
    public struct Response: Codable, Sendable, Hashable {
        /// The status code; 0 if there was no response.
        public var status: Int
        /// The registered phrase for the status.
        public var statusText: String
        /// The version, as in `HTTP/1.1`, or `unknown`.
        public var httpVersion = "unknown"
        /// The cookies; this library leaves them empty, because it shows no cookie's value.
        public var cookies: [Cookie] = []
        /// The header fields, in order.
        public var headers: [Field]
        /// The content.
        public var content: Content
        /// The `Location` field's value, or empty text.
        public var redirectURL: String
        /// The head's size in bytes; -1 if unknown.
        public var headersSize = -1
        /// The body's size in bytes; -1 if unknown.
        public var bodySize: Int
        /// A comment.
        public var comment: String?
        /// The trailer fields; `nil` if there were none. An extension of this library.
        public var trailers: [Field]?
        /// The reason for which there was no response, or for which its body broke off; an extension of this library.
        public var failure: Failure?

        /// Creates a response.
        public init(
            status: Int,
            statusText: String = "",
            headers: [Field] = [],
            content: Content = Content(size: 0, mimeType: ""),
            redirectURL: String = ""
        ) {
            self.status = status
            self.statusText = statusText
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            bodySize = content.size
        }
    }

    /// A response's content.
    public struct Content: Codable, Sendable, Hashable {
        /// The size in bytes; -1 if unknown.
        public var size: Int
        /// The media type.
        public var mimeType: String
        /// The content; `nil` if there was none, or none that could be recorded.
        public var text: String?
        /// `base64` if the text is in base64.
        public var encoding: String?
        /// A comment, such as the reason for which the content was not recorded.
        public var comment: String?

        /// Creates content.
        public init(
            size: Int,
            mimeType: String,
            text: String? = nil,
            encoding: String? = nil,
            comment: String? = nil
        ) {
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.comment = comment
        }
    }

    /// A transport failure.
    public struct Failure: Codable, Sendable, Hashable {
        /// The kind of failure, as in `connectionLost`.
        public var code: String
        /// The failure, without secrets.
        public var message: String
        /// Whether the request is known to be unsent.
        public var isUnsent: Bool

        /// Creates a failure.
        public init(code: String, message: String, isUnsent: Bool) {
            self.code = code
            self.message = message
            self.isUnsent = isUnsent
        }
    }

    /// Something that happened during an exchange.
    public struct Event: Codable, Sendable, Hashable {
        /// The name of the event.
        public var name: String
        /// The interceptor or transport that reported the event.
        public var source: String
        /// The number of the attempt, from 1.
        public var attempt: Int
        /// The time of the event, in milliseconds after the exchange began.
        public var offset: Double
        /// Details, by key.
        public var attributes: [String: String]

        /// Creates an event.
        public init(
            name: String,
            source: String,
            attempt: Int,
            offset: Double,
            attributes: [String: String] = [:]
        ) {
            self.name = name
            self.source = source
            self.attempt = attempt
            self.offset = offset
            self.attributes = attributes
        }
    }
}
