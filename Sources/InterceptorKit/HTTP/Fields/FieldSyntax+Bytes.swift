extension HTTP.FieldSyntax {
    // A private character for each byte from 80 to FF, as MirOS assigns them (OPTU-16).
    private static let privateBytes: ClosedRange<UInt32> = 0xEF80...0xEFFF

    /// Returns a field value's bytes as text, of which ``bytes(of:)`` makes the same bytes again.
    ///
    /// A value is UTF-8 mostly, but may have any bytes (`obs-text`, RFC 9110 section 5.5), such as those of
    /// ISO-8859-1. A byte that is not UTF-8 becomes one of 128 private characters, U+EF80 to U+EFFF, by its
    /// last eight bits; so does each byte of these characters themselves. So what a server says may be kept,
    /// compared and sent back, as a tag or a cookie is, and two values are never the same text.
    ///
    /// `CurlTransport` receives values so, and sends them by ``bytes(of:)``. Over `URLSessionTransport` and
    /// `AsyncHTTPClientTransport` the bytes do not come through.
    /// - Parameter bytes: The value.
    public static func text(of bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !mayHavePrivate(text) {
            return text
        }
        let bytes = Array(bytes)
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while true {
            let count: Int
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return text
            case .error(let length): count = length
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                count = encoded.count
                guard privateBytes.contains(scalar.value) else {
                    text.unicodeScalars.append(scalar)
                    place += count
                    continue
                }
            }
            for byte in bytes[place..<place + count] {
                text.unicodeScalars.append(Unicode.Scalar(0xEF00 | UInt32(byte)) ?? "\u{FFFD}")
            }
            place += count
        }
    }

    /// Returns the bytes of a field value: those that ``text(of:)`` made it of, in UTF-8 apart from the private
    /// characters U+EF80 to U+EFFF, which stand for one byte each.
    public static func bytes(of text: String) -> [UInt8] {
        guard mayHavePrivate(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if privateBytes.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    // By the first byte that such a character has in UTF-8.
    private static func mayHavePrivate(_ text: String) -> Bool { text.utf8.contains(0xEE) }
}
