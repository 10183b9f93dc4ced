public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HAR.PostData {
    /// The content's bytes; `nil` if they were not recorded.
    ///
    /// The bytes of a form without its text are made from its fields.
    public var bytes: Data? {
        guard let params, !params.isEmpty, text?.isEmpty ?? true else {
            return HAR.bytes(text, encoding)
        }
        guard mimeType.lowercased().begins(with: "multipart/") else {
            return HTTP.Body.form(HTTP.Parameters(params.map { ($0.name, $0.value ?? "") }))
                .inMemory
        }
        // The content of a file without a value is unknown.
        guard let boundary = HAR.boundary(of: mimeType),
            params.allSatisfy({ $0.value != nil || $0.fileName == nil })
        else {
            return nil
        }
        let parts = params.map { field in
            HTTP.Multipart.Part(
                field.name,
                .text(field.value ?? ""),
                filename: field.fileName,
                mediaType: field.contentType
            )
        }
        return try? HTTP.Multipart(parts, boundary: boundary).content().body.inMemory
    }
}

extension HAR.Content {
    /// The content's bytes; `nil` if some were not recorded.
    public var bytes: Data? { size == 0 && text == nil ? Data() : HAR.bytes(text, encoding) }
}

extension HAR.Request {
    /// Returns the request, with placeholders for hidden values.
    /// - Throws: An `HTTP.ContentError` with the code `bodyNotRecorded` if the content was not recorded.
    ///   ``restoredHead`` is the rest of the request.
    public func restored() throws(HTTP.ContentError) -> HTTP.Request {
        var request = restoredHead
        if let postData {
            guard let bytes = postData.bytes else {
                throw HTTP.ContentError(
                    .bodyNotRecorded,
                    at: "request.postData",
                    "\(method) \(url) was recorded without its content. \(postData.comment ?? "")"
                )
            }
            request.body = .bytes(bytes)
        } else if bodySize > 0 {
            throw HTTP.ContentError(
                .bodyNotRecorded,
                at: "request.bodySize",
                "\(method) \(url) was recorded without its content of \(bodySize) bytes."
            )
        }
        return request
    }

    /// The request's head, with placeholders for hidden values, and an empty body.
    public var restoredHead: HTTP.Request {
        HTTP.Request(
            HTTP.Method(rawValue: method),
            HTTP.URL(unvalidated: url),
            headers: HAR.headers(headers)
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

    fileprivate static func boundary(of mediaType: String) -> String? {
        let mark = "boundary="
        let parameter = mediaType.split(at: ";").dropFirst().lazy
            .map { HTTP.FieldSyntax.trimmed(String($0)) }
            .first { $0.lowercased().begins(with: mark) }
        return parameter.map { parameter in
            let value = parameter.unicodeScalars.dropFirst(mark.unicodeScalars.count)
            return String(String.UnicodeScalarView(value.filter { $0 != "\"" }))
        }
    }

    // Browsers record the pseudo-header fields of HTTP/2, which aren't header fields (RFC 9113 section 8.3).
    package static func headers(_ fields: [Field]) -> HTTP.Headers {
        HTTP.Headers(fields.filter { !$0.name.begins(with: ":") }.map { ($0.name, $0.value) })
    }
}
