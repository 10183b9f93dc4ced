extension HTTP.FieldSyntax {
    /// Returns the parameters behind a field's value, as in `text/html; charset=utf-8`, in order, with names in lower
    /// case.
    ///
    /// Each is `; name=token` or `; name="quoted"`; what is neither is left out. There may be blanks around each part (section 2.1 of RFC 2616, on which RFC
    /// 6266 is based), and a token may contain some, because many servers do not quote them.
    public static func parameters(of field: String) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var rest = field.utf8.drop { $0 != semicolon }
        while !rest.isEmpty {
            rest = rest.drop { $0 == semicolon || isBlank($0) }
            let name = rest.prefix { $0 != semicolon && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            guard rest.popFirst() == UInt8(ascii: "=") else { continue }
            rest = rest.drop(while: isBlank)
            let value = rest.first == UInt8(ascii: "\"") ? quotedValue(&rest) : nil
            let token = rest.prefix { $0 != semicolon }
            rest = rest[token.endIndex...]
            parameters.append((trimmed(name).lowercased(), value ?? trimmed(token)))
        }
        return parameters
    }

    private static func quotedValue(_ rest: inout Substring.UTF8View) -> String {
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static let semicolon = UInt8(ascii: ";")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        trimmed(String(Substring(bytes)))
    }
}
