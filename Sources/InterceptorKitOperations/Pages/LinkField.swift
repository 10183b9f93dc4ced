import InterceptorKit

/// A link in a `Link` field (RFC 8288 section 3).
struct LinkField: Sendable, Equatable {
    let target: String
    /// The relation types, in lower case.
    let relations: [String]
    /// The resource that the link belongs to, unresolved; `nil` for the response's own (section 3.2).
    var anchor: String? = nil
    /// The other parameters, such as `title`, with names in lower case.
    var parameters = HTTP.Parameters()

    /// Parses the links in a response's `Link` fields, up to the first malformed one.
    static func all(in headers: HTTP.Headers) -> [LinkField] {
        headers.values("Link").flatMap { value in
            var rest = Substring(value).unicodeScalars
            var links: [LinkField] = []
            while let link = take(from: &rest) { links.append(link) }
            return links
        }
    }

    private static func take(from rest: inout Substring.UnicodeScalarView) -> LinkField? {
        rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
        let target = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[end...].dropFirst()
        var relations: [String]?
        var anchor: String?
        var others = HTTP.Parameters()
        while let parameter = takeParameter(from: &rest) {
            // The first occurrence counts (section 3.3).
            switch parameter.name {
            case "rel":
                relations =
                    relations ?? parameter.value.lowercased().split(at: " ").map(String.init)
            case "anchor": anchor = anchor ?? parameter.value
            default: others.append(name: parameter.name, value: parameter.value)
            }
        }
        return LinkField(
            target: target,
            relations: relations ?? [],
            anchor: anchor,
            parameters: others
        )
    }

    /// Parses a parameter after a semicolon: `name`, `name=token` or `name="quoted"`.
    private static func takeParameter(
        from rest: inout Substring.UnicodeScalarView
    ) -> (name: String, value: String)? {
        func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }
        skipBlanks()
        guard rest.first == ";" else { return nil }
        rest = rest.dropFirst()
        skipBlanks()
        let part = rest.prefix { !" \t=;,".unicodeScalars.contains($0) }
        let name = String(part).lowercased()
        rest = rest[part.endIndex...]
        skipBlanks()
        guard rest.first == "=" else { return (name, "") }
        rest = rest.dropFirst()
        skipBlanks()
        return (name, takeValue(from: &rest))
    }

    private static func takeValue(from rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { !" \t;,".unicodeScalars.contains($0) }
            rest = rest[token.endIndex...]
            return String(token)
        }
        rest = rest.dropFirst()
        var value = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\", let escaped = rest.popFirst() {
                value.unicodeScalars.append(escaped)
            } else {
                value.unicodeScalars.append(scalar)
            }
        }
        return value
    }
}
