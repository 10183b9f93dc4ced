#if HTTPTypes
public import HTTPTypes
public import InterceptorKit

extension HTTPRequest.Method {
    /// Creates the same method.
    /// - Throws: An `HTTP.RequestError` if the method is not a token (RFC 9110 section 9.1).
    public init(_ method: HTTP.Method) throws(HTTP.RequestError) {
        guard let converted = HTTPRequest.Method(rawValue: method.rawValue) else {
            throw HTTP.RequestError(
                .invalidMethod,
                "The method \(method.rawValue.debugDescription) is not a token (RFC 9110 section 9.1)."
            )
        }
        self = converted
    }
}

extension HTTP.Method {
    /// Creates the same method.
    public init(_ method: HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPResponse.Status {
    /// Creates the same status, with its registered reason phrase if it has one.
    /// - Throws: An `HTTP.RequestError` if the code does not have three digits.
    public init(_ status: HTTP.Status) throws(HTTP.RequestError) {
        guard 0...999 ~= status.code else {
            throw HTTP.RequestError(
                .invalidStatus,
                "\(status.code) is not a status of three digits."
            )
        }
        self.init(code: status.code, reasonPhrase: status.reasonPhrase ?? "")
    }
}

extension HTTP.Status {
    /// Creates the same status, without its reason phrase, which has no meaning (RFC 9112 section 4).
    public init(_ status: HTTPResponse.Status) { self.init(status.code) }
}
#endif
