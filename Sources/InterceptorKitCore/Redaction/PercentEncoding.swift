/// Percent-encoding of URLs and forms (RFC 3986 section 2.1).
// Inlinable, because other modules call it for each byte.
public enum PercentEncoding {}

extension PercentEncoding {
    /// Returns text with all characters except unreserved ones (RFC 3986 section 2.3) percent-encoded, in UTF-8 with
    /// upper-case digits, as signatures and OAuth require.
    public static func encode(_ text: String) -> String {
        text.utf8.allSatisfy(isUnreserved) ? text : encode(bytes: text.utf8)
    }

    /// Returns bytes as text, all except unreserved characters percent-encoded.
    package static func encode(bytes: some Collection<UInt8>) -> String {
        // Safety: a byte becomes three at most, so `end` stays within the capacity, and all before
        // it is written.
        unsafe String(unsafeUninitializedCapacity: bytes.count * 3) { encoded in
            var end = 0
            for byte in bytes {
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

    /// Returns percent-encoded text decoded, to show it or to look for a name; bytes that are not UTF-8 become U+FFFD.
    /// For text that is signed or compared, use ``decodedBytes(_:plusIsBlank:)``.
    public static func decode(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(decoding: decodedBytes(text.utf8), as: UTF8.self)
    }

    /// Returns the bytes of percent-encoded text; a malformed escape stays unchanged.
    /// - Parameters:
    ///   - text: The text.
    ///   - plusIsBlank: Whether `+` means a space, as in HTML forms. Defaults to `false`.
    @inlinable
    public static func decodedBytes(
        _ text: some Collection<UInt8>,
        plusIsBlank: Bool = false
    ) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = text.startIndex
        while index != text.endIndex {
            if let byte = escapedByte(in: text, at: index) {
                decoded.append(byte)
                text.formIndex(&index, offsetBy: 3)
            } else {
                let byte = text[index]
                decoded.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
                text.formIndex(after: &index)
            }
        }
        return decoded
    }

    /// Returns the byte of an escape `%XX` at an index, with two hexadecimal digits; `nil` if there is none.
    @inlinable
    public static func escapedByte<Text: Collection<UInt8>>(
        in text: Text,
        at index: Text.Index
    ) -> UInt8? {
        guard text[index] == UInt8(ascii: "%") else { return nil }
        let digits = text[text.index(after: index)...]
        guard let first = digits.first, let second = digits.dropFirst().first,
            let high = digitValue(first), let low = digitValue(second)
        else { return nil }
        return high << 4 | low
    }

    static func hasEscape(_ text: some Collection<UInt8>) -> Bool {
        text.contains(UInt8(ascii: "%"))
            && text.indices.contains { escapedByte(in: text, at: $0) != nil }
    }

    @inlinable
    static func digitValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether a character needs no escape in any part of a URL (RFC 3986 section 2.3).
    @inlinable
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Returns a hexadecimal digit in upper case.
    @inlinable
    public static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
