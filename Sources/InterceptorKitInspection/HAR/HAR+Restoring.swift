public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HAR.PostData {
    /// The content's bytes; `nil` if they were not recorded.
    public var bytes: Data? { HAR.bytes(text, encoding) }
}

extension HAR.Content {
    /// The content's bytes; `nil` if there were some that were not recorded.
    public var bytes: Data? { size == 0 && text == nil ? Data() : HAR.bytes(text, encoding) }
}

extension HAR.Request {
    /// The request, with placeholders for hidden values, and with its body if it was recorded.
    public var restored: HTTP.Request {
        HTTP.Request(
            HTTP.Method(rawValue: method),
            HTTP.URL(unvalidated: url),
            headers: HAR.headers(headers),
            body: postData?.bytes.map(HTTP.Body.bytes) ?? .empty
        )
    }
}

extension HAR.Response {
    /// The response's head, with placeholders for hidden values, and an empty body.
    public var restoredHead: HTTP.Response {
        HTTP.Response(HTTP.Status(status), headers: HAR.headers(headers))
    }
}

extension HAR {
    fileprivate static func bytes(_ text: String?, _ encoding: String?) -> Data? {
        guard let text else { return nil }
        return encoding == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
    }

    // Browsers write pseudo fields of HTTP/2, which aren't header fields (RFC 9113 section 8.3).
    fileprivate static func headers(_ fields: [Field]) -> HTTP.Headers {
        HTTP.Headers(fields.filter { !$0.name.begins(with: ":") }.map { ($0.name, $0.value) })
    }
}
