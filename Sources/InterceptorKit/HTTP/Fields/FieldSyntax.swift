extension HTTP {
    /// The common grammar of header fields (RFC 9110 section 5.6).
    public enum FieldSyntax {}
}

extension HTTP.FieldSyntax {
    /// Compares field names: letters without regard to case, other characters exactly.
    public static func isSameName(_ left: String, _ right: String) -> Bool {
        // Most are spelled alike, which is seen without a look at each byte.
        if left == right { return true }
        let left = left.utf8
        let right = right.utf8
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || (isLetter($0) && ($0 ^ $1) == 0x20) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Returns whether text is a token (RFC 9110 section 5.6.2).
    public static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^")...UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Returns text as a quoted string (RFC 9110 section 5.6.4): in quotes, with quotes and backslashes
    /// escaped.
    ///
    /// Control characters stay as they are; a field that contains them is refused when it is sent.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// Returns text without the spaces and tabs around it (`OWS`, RFC 9110 section 5.6.3).
    public static func trimmed(_ value: String) -> String {
        func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        guard isBlank(value.utf8.first) || isBlank(value.utf8.last) else { return value }
        var rest = value.utf8[...]
        while isBlank(rest.first) { rest.removeFirst() }
        while isBlank(rest.last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
