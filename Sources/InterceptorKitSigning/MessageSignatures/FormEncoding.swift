import InterceptorKit

/// The encoding of query parameters in RFC 9421 section 2.2.8: that of HTML forms, except that a blank is always `%20`.
///
/// It works on bytes, so that different values that are not UTF-8 remain different.
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

    /// Returns the parameters in order, with names and values decoded and encoded again.
    static func parameters(of query: some Collection<UInt8>) -> [(name: String, value: String)] {
        HTTP.FormPair.pairs(of: query, plusIsBlank: true).map {
            (encoded($0.name), encoded($0.value))
        }
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
