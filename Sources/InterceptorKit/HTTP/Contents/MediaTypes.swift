extension HTTP {
    static let jsonMediaTypes = ["application/json", "text/json", "+json"]

    /// Returns a media type without its parameters, in lower case (RFC 9110 section 8.3.1).
    static func essence(of mediaType: String) -> String {
        FieldSyntax.trimmed(String(mediaType.beginning(before: ";"))).lowercased()
    }

    /// Returns whether a media type matches a pattern such as `application/json`, `text/*`, `*/*` or `+json`.
    static func mediaType(_ essence: String, matches pattern: String) -> Bool {
        let pattern = self.essence(of: pattern)
        if pattern == "*/*" { return true }
        if pattern.begins(with: "+") { return essence.ends(with: pattern) }
        if pattern.ends(with: "/*") { return pattern.rest(before: "*").map(essence.begins) == true }
        return essence == pattern
    }

    static func isMediaTypePattern(_ pattern: String) -> Bool {
        let pattern = essence(of: pattern)
        if pattern == "*/*" { return true }
        if pattern.begins(with: "+") { return FieldSyntax.isToken(pattern) && pattern != "+" }
        let parts = pattern.split(at: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && parts[0] != "*" && parts.allSatisfy(FieldSyntax.isToken)
            && (parts[1] == "*" || !parts[1].utf8.contains(UInt8(ascii: "*")))
    }

    /// Returns the media type for a file's extension, if it is a common one of IANA's registry.
    static func mediaType(ofFile path: String) -> String? {
        let name = path.split(at: "/").last ?? ""
        guard let dot = name.unicodeScalars.lastIndex(of: ".") else { return nil }
        return switch name[name.unicodeScalars.index(after: dot)...].lowercased() {
        case "css": "text/css"
        case "csv": "text/csv"
        case "gif": "image/gif"
        case "htm", "html": "text/html"
        case "jpeg", "jpg": "image/jpeg"
        case "js": "text/javascript"
        case "json": "application/json"
        case "mp4": "video/mp4"
        case "pdf": "application/pdf"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain"
        case "webp": "image/webp"
        case "xml": "application/xml"
        case "zip": "application/zip"
        default: nil
        }
    }
}

extension HTTP.Response {
    /// Returns whether the body has one of the types. An empty list or a response without a type matches.
    func isOne(of mediaTypes: [String]) -> Bool {
        guard !mediaTypes.isEmpty, let type = headers["Content-Type"] else { return true }
        let essence = HTTP.essence(of: type)
        return mediaTypes.contains { HTTP.mediaType(essence, matches: $0) }
    }

    func mediaTypeRefused<Value>(_ type: Value.Type, _ accepted: [String]) -> HTTP.ContentError {
        let own = HTTP.essence(of: headers["Content-Type"] ?? "")
        return HTTP.ContentError(
            .unexpectedMediaType,
            "The response \(status) is \(HTTP.printable(own)), and \(type) is read from "
                + "\(accepted.joined(separator: ", ")). An error filter turns error pages into errors."
        )
    }

    func actorRefused<Value>(_ type: Value.Type) -> HTTP.ContentError {
        HTTP.ContentError(
            .wrongActor,
            "The type \(type) belongs to the main actor, and the response \(status) was to be read "
                + "elsewhere. Read it on the main actor, or declare the type nonisolated."
        )
    }

    func emptinessRefused<Value>(_ type: Value.Type) -> HTTP.ContentError {
        HTTP.ContentError(
            .emptyBody,
            "The response \(status) is empty, and \(type) was expected. Give a decoder that says what "
                + "an empty body means if the server may send one."
        )
    }
}
