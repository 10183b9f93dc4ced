extension HTTP.URL {
    /// Reads a reference in a field that a server sent, as browsers do (WHATWG URL section 4.4): a backslash
    /// before the query is a slash, tabs are removed, and unencoded characters are encoded. A name and
    /// password in it come from the server and never become a credential.
    /// - Parameter text: The reference, as in a `Location` field.
    public init(received text: String) {
        self.init(unvalidated: text.asURLText.withoutUserInformation)
    }
}

extension String {
    // Blanks, other letters, quotes, and a percent sign that begins no escape are encoded.
    fileprivate var asURLText: String {
        let bytes = HTTP.FieldSyntax.bytes(of: self).filter { $0 != UInt8(ascii: "\t") }
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

    fileprivate var withoutUserInformation: String {
        let start: Index
        if begins(with: "//") {
            start = utf8.index(startIndex, offsetBy: 2)
        } else if let colon = utf8.firstIndex(of: UInt8(ascii: ":")),
            self[colon...].begins(with: "://")
        {
            start = utf8.index(colon, offsetBy: 3)
        } else {
            return self
        }
        let authority = self[start...].utf8.prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[..<start] + self[utf8.index(after: at)...])
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        Character(Unicode.Scalar(self)).isHexDigit
    }
}
