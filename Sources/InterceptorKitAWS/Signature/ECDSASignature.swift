import InterceptorKit

/// An ECDSA signature on P-256, in its two encodings.
struct ECDSASignature {
    /// `r` and `s`, 32 bytes each.
    let bytes: [UInt8]

    init(bytes: [UInt8]) throws(SigningError) {
        guard bytes.count == 64 else {
            throw SigningError(
                .unsuitableKey,
                "A signature on P-256 has 64 bytes, and the key's signer made one of \(bytes.count)."
            )
        }
        self.bytes = bytes
    }

    /// Reads DER, and no other encoding of the same numbers.
    init?(der: [UInt8]) {
        var rest = der[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count,
            let r = Self.number(&rest), let s = Self.number(&rest), rest.isEmpty
        else { return nil }
        bytes = r + s
        guard self.der == der else { return nil }
    }

    /// Removes an integer from the front, as 32 bytes.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let length = rest.popFirst(), rest.count >= length else {
            return nil
        }
        let digits = rest.prefix(Int(length)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(length))
        guard digits.count <= 32 else { return nil }
        return Array(repeating: 0, count: 32 - digits.count) + digits
    }

    /// A sequence of two integers (RFC 3279 section 2.2.3) in DER (ITU-T X.690).
    var der: [UInt8] {
        let content = Self.integer(bytes[..<32]) + Self.integer(bytes[32...])
        return [0x30, UInt8(content.count)] + content
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
