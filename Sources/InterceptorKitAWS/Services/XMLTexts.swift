import InterceptorKit

/// The texts of a small XML document by element name.
struct XMLTexts {
    private let document: String

    init(_ document: String) { self.document = document }

    /// The text of the first element with a name; `nil` if there is none or it has child elements.
    subscript(name: String) -> String? {
        guard let opening = document.byteRange(of: "<\(name)>") else { return nil }
        let rest = document[opening.upperBound...]
        guard let closing = rest.byteRange(of: "</\(name)>") else { return nil }
        let text = rest[..<closing.lowerBound]
        guard !text.utf8.contains(UInt8(ascii: "<")) else { return nil }
        return Self.unescaped(text)
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#34;", "\""),
            ("&#39;", "'"), ("&amp;", "&"),
        ]
        var plain = ""
        var rest = text
        while let mark = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            plain += rest[..<mark]
            rest = rest[mark...]
            let entity = entities.first { rest.begins(with: $0.0) } ?? ("&", "&")
            plain += entity.1
            rest = rest.rest(after: entity.0) ?? rest
        }
        return plain + rest
    }
}
