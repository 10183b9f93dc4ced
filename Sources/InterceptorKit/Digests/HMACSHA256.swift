/// HMAC with SHA-256 (RFC 2104, FIPS 198-1). Keeps the two padded keys, not the key itself.
package struct HMACSHA256: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    /// Creates an authenticator for a key of any length.
    package init(key: some Collection<UInt8>) {
        var block = key.count > 64 ? SHA256.hash(key) : Array(key)
        block += repeatElement(0, count: 64 - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        self.inner = inner
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5c })
        self.outer = outer
    }

    /// The authentication code of a message: 32 bytes.
    package func code(for message: some Sequence<UInt8>) -> [UInt8] {
        var inner = inner
        inner.update(message)
        var outer = outer
        outer.update(inner.finalize())
        return outer.finalize()
    }
}

/// Compares without ending early, so that timing does not tell how much agreed.
package func isEqualInConstantTime(
    _ left: some Collection<UInt8>,
    _ right: some Collection<UInt8>
) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

extension Collection<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
