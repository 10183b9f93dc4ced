/// Query parameters as RFC 9421 section 2.2.8 reads and writes them: by the rules of HTML forms, but a
/// blank is always `%20`.
///
/// Works on bytes, so that values which are not UTF-8 stay apart.
enum FormEncoding {
    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if isKept(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + digit(byte >> 4) + digit(byte & 15)
            }
        }
        return text
    }

    /// The parameters in order, names and values decoded and encoded again.
    static func parameters(of query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = pair[mark...].dropFirst()
            return (encoded(decoded(pair[..<mark])), encoded(decoded(value)))
        }
    }

    private static func decoded(_ text: Substring.UTF8View.SubSequence) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                if digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default:
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "*-._".utf8.contains(byte)
        }
    }

    private static func digit(_ value: UInt8) -> String {
        String(value, radix: 16, uppercase: true)
    }
}
