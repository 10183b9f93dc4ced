/// Base64 for byte sequences (RFC 4648 section 4), as tolerant as RFC 9651 section 4.2.7 asks for: padding may be
/// missing, and the bits it stands for need not be zero.
enum Base64 {
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digit(bits >> UInt32(count)))
            }
        }
        if count > 0 { text.append(digit(bits << UInt32(6 - count))) }
        while (text.count - start) % 4 != 0 { text.append(padding) }
    }

    static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        var digits = text[...]
        while digits.last == padding { digits.removeLast() }
        let paddings = text.count - digits.count
        guard digits.count % 4 != 1, paddings == 0 || text.count % 4 == 0, paddings <= 2 else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            guard let value = value(digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static let padding = UInt8(ascii: "=")
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    private static func digit(_ bits: UInt32) -> UInt8 { digits[Int(bits & 63)] }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
