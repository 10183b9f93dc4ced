import InterceptorKit

/// A `Content-Range` of bytes (RFC 9110 section 14.4).
enum ContentRange: Hashable {
    /// A range of bytes and the total length; `nil` if the length is unknown.
    case part(ClosedRange<Int>, of: Int?)
    /// No range of content with this length.
    case unsatisfied(of: Int)

    /// Parses `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`; `nil` for any other text.
    init?(_ text: String) {
        let words = text.split(at: " ", omittingEmptySubsequences: false)
        guard words.count == 2, HTTP.FieldSyntax.isSameName(String(words[0]), "bytes") else {
            return nil
        }
        let sides = words[1].split(at: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let total = Self.number(sides[1])
        if sides[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(of: total)
            return
        }
        let bounds = sides[0].split(at: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, total != nil || sides[1] == "*",
            let first = Self.number(bounds[0]), let last = Self.number(bounds[1]),
            first <= last, last < total ?? .max
        else { return nil }
        self = .part(first...last, of: total)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { 48...57 ~= $0 } ? Int(text) : nil
    }
}
