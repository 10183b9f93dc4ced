/// The texts in a small XML document, by the names of their elements.
struct XMLTexts {
    private let document: String

    init(_ document: String) { self.document = document }

    /// The text of the first element of a name; `nil` if there is none, or it has elements in it.
    subscript(name: String) -> String? {
        guard let opening = document.firstRange(of: "<\(name)>") else { return nil }
        let rest = document[opening.upperBound...]
        guard let closing = rest.firstRange(of: "</\(name)>") else { return nil }
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
        return entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
