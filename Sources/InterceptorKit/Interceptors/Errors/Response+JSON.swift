extension HTTP.Headers {
    /// The content's media type in lower case, without parameters (RFC 9110 section 8.3.1); `nil` without a
    /// `Content-Type`.
    public var mediaType: String? {
        self["Content-Type"].map {
            HTTP.FieldSyntax.trimmed(String($0.beginning(before: ";"))).lowercased()
        }
    }
}

extension HTTP.Response {
    // RFC 6839: application/json and every type with a +json suffix.
    var hasJSONBody: Bool {
        guard let type = headers.mediaType else { return false }
        return type == "application/json" || type.ends(with: "+json")
    }
}

extension HTTP.Body.Beginning {
    /// The whole body as JSON; `nil` if it is not JSON or is longer than the beginning.
    var json: JSONValue? {
        whole.flatMap { JSONValue(parsing: $0) }
    }
}
