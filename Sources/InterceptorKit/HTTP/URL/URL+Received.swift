extension HTTP.URL {
    /// Reads a reference in a field that a server sent, as browsers do (URL Standard section 4.4): blanks around it are
    /// removed, and line breaks and tabs within; a backslash before the query is a slash; more than two slashes before
    /// a host are two; and characters that need encoding are encoded. A name and password in the reference are removed,
    /// so that they never become a credential.
    /// - Parameters:
    ///   - text: The reference, as in a `Location` field.
    ///   - base: The URL that the reference is then resolved against. It says what `https:/a` and `https:a` mean: a path
    ///     there if the scheme is the same, and the host `a` otherwise. Without it, the default, they are refused.
    public init(received text: String, at base: HTTP.URL? = nil) {
        let text = text.asURLText.completed(at: base)
        self.init(unvalidated: text.withTwoSlashes.withoutUserInformation)
    }
}

extension String {
    // Encodes blanks, non-ASCII characters, quotes, and a percent sign that begins no escape.
    fileprivate var asURLText: String {
        let all = HTTP.FieldSyntax.bytes(of: self)
        let end = all.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        let bytes = all[..<end].drop { $0 <= 0x20 }.filter { !"\t\n\r".utf8.contains($0) }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\\"), index < path.count {
                text += "/"
                continue
            }
            let isAllowed =
                switch byte {
                case UInt8(ascii: "%"):
                    bytes[(index + 1)...].prefix(2).count { $0.isHexDigit } == 2
                case 0x21...0x7E: !"\"<>\\^`{|}".utf8.contains(byte)
                default: false
                }
            if isAllowed {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    fileprivate func completed(at base: HTTP.URL?) -> String {
        guard let base, authority == nil, let colon = utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return self }
        let scheme = self[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return self }
        let rest = self[utf8.index(after: colon)...]
        if scheme != base.scheme {
            return scheme + "://" + Substring(rest.utf8.drop { $0 == UInt8(ascii: "/") })
        }
        let isName = rest.utf8.first.map { !"/?#".utf8.contains($0) } == true
        // A colon in a name would otherwise end a scheme (RFC 3986 section 4.2).
        return (isName ? "./" : "") + rest
    }

    fileprivate var withTwoSlashes: String {
        guard let authority else { return self }
        let rest = self[authority.lowerBound...].utf8.drop { $0 == UInt8(ascii: "/") }
        return String(self[..<authority.lowerBound] + Substring(rest))
    }

    fileprivate var withoutUserInformation: String {
        guard let authority, let at = self[authority].utf8.lastIndex(of: UInt8(ascii: "@"))
        else { return self }
        return String(self[..<authority.lowerBound] + self[utf8.index(after: at)...])
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        Character(Unicode.Scalar(self)).isHexDigit
    }
}
