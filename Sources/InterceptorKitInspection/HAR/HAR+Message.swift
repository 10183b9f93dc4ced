import InterceptorKit

extension HAR {
    /// A header field, or a query parameter.
    public struct Field: Codable, Sendable, Hashable {
        /// The name as spelled.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A cookie; known by name alone.
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

    /// What was sent.
    public struct Request: Codable, Sendable, Hashable {
        /// The method.
        public var method: String
        /// The URL, complete and without its fragment.
        public var url: String
        /// As in `HTTP/1.1`, or `unknown`.
        public var httpVersion = "unknown"
        /// Left empty by this library, which shows no cookie's value.
        public var cookies: [Cookie] = []
        /// The header fields, in order.
        public var headers: [Field]
        /// The URL's parameters, decoded.
        public var queryString: [Field]
        /// The content; `nil` if there was none, or none that could be written down.
        public var postData: PostData?
        /// The head's size in bytes; -1 if it is not known.
        public var headersSize = -1
        /// The body's size in bytes; -1 if it is not known.
        public var bodySize: Int
        /// Anything else.
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

    /// A request's content.
    public struct PostData: Codable, Sendable, Hashable {
        /// The media type.
        public var mimeType: String
        /// The content as text.
        public var text: String?
        /// `base64` if the text is that; of this library, since the format has no binary requests.
        public var encoding: String?
        /// Anything else.
        public var comment: String?

        /// Creates content.
        public init(mimeType: String, text: String? = nil, encoding: String? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }

        enum CodingKeys: String, CodingKey {
            case mimeType, text, comment
            case encoding = "_encoding"
        }
    }

    /// What was answered.
    public struct Response: Codable, Sendable, Hashable {
        /// The status code; 0 if there was no answer.
        public var status: Int
        /// The registered phrase for the status.
        public var statusText: String
        /// As in `HTTP/1.1`, or `unknown`.
        public var httpVersion = "unknown"
        /// Left empty by this library, which shows no cookie's value.
        public var cookies: [Cookie] = []
        /// The header fields, in order.
        public var headers: [Field]
        /// The content.
        public var content: Content
        /// The `Location` field's value, or nothing.
        public var redirectURL: String
        /// The head's size in bytes; -1 if it is not known.
        public var headersSize = -1
        /// The body's size in bytes; -1 if it is not known.
        public var bodySize: Int
        /// Anything else.
        public var comment: String?
        /// Why there was no answer, or why its body broke off; of this library.
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
        /// The size in bytes; -1 if it is not known.
        public var size: Int
        /// The media type.
        public var mimeType: String
        /// The content; `nil` if there was none, or none that could be written down.
        public var text: String?
        /// `base64` if the text is that.
        public var encoding: String?
        /// Anything else, such as why the content was not written down.
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
        /// The kind, as in `connection lost`.
        public var code: String
        /// What happened, without secrets.
        public var message: String
        /// Whether the request certainly never reached the server.
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
        /// What happened.
        public var name: String
        /// The interceptor or transport that said so.
        public var source: String
        /// The attempt it happened in, from 1.
        public var attempt: Int
        /// When, in milliseconds after the exchange began.
        public var offset: Double
        /// More about it, by key.
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
