extension HTTP {
    /// A response's status code (RFC 9110 section 15).
    public struct Status: Hashable, Sendable, ExpressibleByIntegerLiteral {
        /// The three-digit code.
        public let code: Int

        /// Creates a status from its code.
        public init(_ code: Int) { self.code = code }

        /// Creates a status from its code.
        public init(integerLiteral value: Int) { code = value }

        /// Whether the status is 2xx, a success.
        public var isSuccess: Bool { 200..<300 ~= code }
        /// Whether the status is 3xx, a redirection.
        public var isRedirection: Bool { 300..<400 ~= code }
        /// Whether the status is 4xx, a client error.
        public var isClientError: Bool { 400..<500 ~= code }
        /// Whether the status is 5xx, a server error.
        public var isServerError: Bool { 500..<600 ~= code }
    }
}

extension HTTP.Status: CustomStringConvertible {
    /// The code with its registered phrase, as in `404 Not Found`.
    public var description: String {
        guard let phrase = HTTP.Status.phrases[code] else { return "\(code)" }
        return "\(code) \(phrase)"
    }

    /// The registered reason phrase; `nil` if there is none.
    public var reasonPhrase: String? { HTTP.Status.phrases[code] }

    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
        204: "No Content", 205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
        423: "Locked", 424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage", 511: "Network Authentication Required",
    ]
}

extension HTTP.Status {
    // MARK: Informational
    /// 100 Continue.
    public static var `continue`: HTTP.Status { 100 }
    /// 101 Switching Protocols.
    public static var switchingProtocols: HTTP.Status { 101 }
    /// 102 Processing.
    public static var processing: HTTP.Status { 102 }
    /// 103 Early Hints.
    public static var earlyHints: HTTP.Status { 103 }

    // MARK: Success
    /// 200 OK.
    public static var ok: HTTP.Status { 200 }
    /// 201 Created.
    public static var created: HTTP.Status { 201 }
    /// 202 Accepted.
    public static var accepted: HTTP.Status { 202 }
    /// 203 Non-Authoritative Information.
    public static var nonAuthoritativeInformation: HTTP.Status { 203 }
    /// 204 No Content.
    public static var noContent: HTTP.Status { 204 }
    /// 205 Reset Content.
    public static var resetContent: HTTP.Status { 205 }
    /// 206 Partial Content.
    public static var partialContent: HTTP.Status { 206 }

    // MARK: Redirection
    /// 300 Multiple Choices.
    public static var multipleChoices: HTTP.Status { 300 }
    /// 301 Moved Permanently.
    public static var movedPermanently: HTTP.Status { 301 }
    /// 302 Found.
    public static var found: HTTP.Status { 302 }
    /// 303 See Other.
    public static var seeOther: HTTP.Status { 303 }
    /// 304 Not Modified.
    public static var notModified: HTTP.Status { 304 }
    /// 307 Temporary Redirect.
    public static var temporaryRedirect: HTTP.Status { 307 }
    /// 308 Permanent Redirect.
    public static var permanentRedirect: HTTP.Status { 308 }

    // MARK: Client errors
    /// 400 Bad Request.
    public static var badRequest: HTTP.Status { 400 }
    /// 401 Unauthorized.
    public static var unauthorized: HTTP.Status { 401 }
    /// 402 Payment Required.
    public static var paymentRequired: HTTP.Status { 402 }
    /// 403 Forbidden.
    public static var forbidden: HTTP.Status { 403 }
    /// 404 Not Found.
    public static var notFound: HTTP.Status { 404 }
    /// 405 Method Not Allowed.
    public static var methodNotAllowed: HTTP.Status { 405 }
    /// 406 Not Acceptable.
    public static var notAcceptable: HTTP.Status { 406 }
    /// 407 Proxy Authentication Required.
    public static var proxyAuthenticationRequired: HTTP.Status { 407 }
    /// 408 Request Timeout.
    public static var requestTimeout: HTTP.Status { 408 }
    /// 409 Conflict.
    public static var conflict: HTTP.Status { 409 }
    /// 410 Gone.
    public static var gone: HTTP.Status { 410 }
    /// 411 Length Required.
    public static var lengthRequired: HTTP.Status { 411 }
    /// 412 Precondition Failed.
    public static var preconditionFailed: HTTP.Status { 412 }
    /// 413 Content Too Large.
    public static var contentTooLarge: HTTP.Status { 413 }
    /// 414 URI Too Long.
    public static var uriTooLong: HTTP.Status { 414 }
    /// 415 Unsupported Media Type.
    public static var unsupportedMediaType: HTTP.Status { 415 }
    /// 416 Range Not Satisfiable.
    public static var rangeNotSatisfiable: HTTP.Status { 416 }
    /// 417 Expectation Failed.
    public static var expectationFailed: HTTP.Status { 417 }
    /// 421 Misdirected Request.
    public static var misdirectedRequest: HTTP.Status { 421 }
    /// 422 Unprocessable Content.
    public static var unprocessableContent: HTTP.Status { 422 }
    /// 423 Locked.
    public static var locked: HTTP.Status { 423 }
    /// 424 Failed Dependency.
    public static var failedDependency: HTTP.Status { 424 }
    /// 425 Too Early.
    public static var tooEarly: HTTP.Status { 425 }
    /// 426 Upgrade Required.
    public static var upgradeRequired: HTTP.Status { 426 }
    /// 428 Precondition Required.
    public static var preconditionRequired: HTTP.Status { 428 }
    /// 429 Too Many Requests.
    public static var tooManyRequests: HTTP.Status { 429 }
    /// 431 Request Header Fields Too Large.
    public static var requestHeaderFieldsTooLarge: HTTP.Status { 431 }
    /// 451 Unavailable For Legal Reasons.
    public static var unavailableForLegalReasons: HTTP.Status { 451 }

    // MARK: Server errors
    /// 500 Internal Server Error.
    public static var internalServerError: HTTP.Status { 500 }
    /// 501 Not Implemented.
    public static var notImplemented: HTTP.Status { 501 }
    /// 502 Bad Gateway.
    public static var badGateway: HTTP.Status { 502 }
    /// 503 Service Unavailable.
    public static var serviceUnavailable: HTTP.Status { 503 }
    /// 504 Gateway Timeout.
    public static var gatewayTimeout: HTTP.Status { 504 }
    /// 505 HTTP Version Not Supported.
    public static var httpVersionNotSupported: HTTP.Status { 505 }
    /// 507 Insufficient Storage.
    public static var insufficientStorage: HTTP.Status { 507 }
    /// 511 Network Authentication Required.
    public static var networkAuthenticationRequired: HTTP.Status { 511 }
}
