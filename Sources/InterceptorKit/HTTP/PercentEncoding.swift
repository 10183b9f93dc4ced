extension HTTP {
    /// Percent-encodes all but unreserved characters (RFC 3986 section 2.3), in upper case.
    package static func percentEncoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        return unsafe String(unsafeUninitializedCapacity: text.utf8.count * 3) { encoded in
            var end = 0
            for byte in text.utf8 {
                if isUnreserved(byte) {
                    unsafe encoded[end] = byte
                    end += 1
                } else {
                    unsafe encoded[end] = UInt8(ascii: "%")
                    unsafe encoded[end + 1] = hexDigit(byte >> 4)
                    unsafe encoded[end + 2] = hexDigit(byte & 15)
                    end += 3
                }
            }
            return end
        }
    }

    /// Decodes percent-encoded text; a malformed escape stays as it is.
    static func percentDecoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(
                    String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self),
                    radix: 16
                )
            {
                decoded.append(value)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Whether a character stands for itself in any part of a URL (RFC 3986 section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// A hexadecimal digit in upper case.
    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
