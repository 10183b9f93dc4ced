/// A parsed `Set-Cookie` field, before any rule is applied (RFC 6265 section 5.2).
struct SetCookie {
    let name: String
    let value: String
    // The last attribute of a name counts, for dates and ages the last valid one; `nil` means none.
    private(set) var domain: String?
    private(set) var path: String?
    private(set) var expires: String?
    private(set) var maxAge: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    // RFC 6265bis section 5.6: longer attributes are ignored.
    private static let longestAttribute = 1024

    /// Returns `nil` for a field that is ignored as a whole: without a name, too large, or with control characters.
    init?(_ text: String) {
        guard !text.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
            return nil
        }
        let pieces = text.split(at: ";", omittingEmptySubsequences: false)
        // A piece without = has no name. Browsers store such cookies, which allows forging others.
        guard let first = pieces.first, let pair = Self.pair(first), !pair.name.isEmpty,
            pair.name.utf8.count + pair.value.utf8.count <= HTTP.Cookie.largestSize
        else { return nil }
        name = pair.name
        value = pair.value
        for piece in pieces.dropFirst() {
            let attribute = Self.pair(piece) ?? (HTTP.FieldSyntax.trimmed(String(piece)), "")
            guard attribute.value.utf8.count <= Self.longestAttribute else { continue }
            switch attribute.name.lowercased() {
            case "domain": domain = attribute.value
            case "path": path = attribute.value
            case "expires" where HTTP.cookieDate(attribute.value) != nil: expires = attribute.value
            case "max-age" where Self.seconds(attribute.value) != nil: maxAge = attribute.value
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }
    }

    // Any number of digits, with or without a minus sign in front.
    static func seconds(_ text: String) -> Double? {
        let digits = text.rest(after: "-") ?? text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Double(text)
    }

    private static func pair(_ piece: Substring) -> (name: String, value: String)? {
        guard let equals = piece.unicodeScalars.firstIndex(of: "=") else { return nil }
        let value = piece[piece.unicodeScalars.index(after: equals)...]
        return (
            HTTP.FieldSyntax.trimmed(String(piece[..<equals])),
            HTTP.FieldSyntax.trimmed(String(value))
        )
    }
}
