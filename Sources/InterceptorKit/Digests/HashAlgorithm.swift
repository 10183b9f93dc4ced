/// A cryptographic hash function.
///
/// ```swift
/// let digest = HashAlgorithm.sha256.hash("abc".utf8)
/// print(digest.hexadecimal)  // ba7816bf…
/// ```
///
/// All functions are written in Swift and need no other package. Long data is hashed by the system, with the
/// processor's own instructions: by libcrypto if OpenSSL 3 or 1.1.1 is installed, which is opened when first needed and
/// not linked, or by CryptoKit. The digests are the same.
public struct HashAlgorithm: Sendable, Hashable {
    enum Function: Int, CaseIterable, Sendable {
        case md5, sha1, sha256, sha384, sha512, sha512_256
    }

    let function: Function

    /// MD5 (RFC 1321), 16 bytes. Broken: collisions take seconds (RFC 6151). Use it only for schemes that prescribe it.
    public static let md5 = HashAlgorithm(function: .md5)
    /// SHA-1 (FIPS 180-4), 20 bytes. Broken: collisions were shown in 2017 (RFC 6194 warned of them). Use it
    /// only for schemes that prescribe it.
    public static let sha1 = HashAlgorithm(function: .sha1)
    /// SHA-256 (FIPS 180-4), 32 bytes: use this unless something else is prescribed.
    public static let sha256 = HashAlgorithm(function: .sha256)
    /// SHA-384 (FIPS 180-4), 48 bytes.
    public static let sha384 = HashAlgorithm(function: .sha384)
    /// SHA-512 (FIPS 180-4), 64 bytes.
    public static let sha512 = HashAlgorithm(function: .sha512)
    /// SHA-512/256 (FIPS 180-4), 32 bytes; HTTP Digest authentication may ask for it (RFC 7616).
    public static let sha512_256 = HashAlgorithm(function: .sha512_256)

    /// The size of a digest in bytes.
    public var digestSize: Int {
        switch function {
        case .md5: 16
        case .sha1: 20
        case .sha256, .sha512_256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The size in bytes of the blocks that the function works on; a longer HMAC key is hashed first.
    public var blockSize: Int {
        switch function {
        case .md5, .sha1, .sha256: 64
        case .sha384, .sha512, .sha512_256: 128
        }
    }

    /// Returns the digest of some bytes.
    /// - Parameter bytes: The bytes to hash.
    public func hash(_ bytes: some Sequence<UInt8>) -> Digest {
        var hash = RunningHash(self)
        hash.update(bytes)
        return hash.finalize()
    }

    /// Returns the authentication code of some bytes (HMAC: RFC 2104, FIPS 198-1).
    /// - Parameters:
    ///   - bytes: The message.
    ///   - key: A key of any length. For many messages with one key, see ``RunningHMAC``.
    public func authenticationCode(
        of bytes: some Sequence<UInt8>,
        key: some Sequence<UInt8>
    ) -> Digest {
        let isLong = bytes.underestimatedCount >= RunningHash.systemMinimum
        var hmac = RunningHMAC(self, key: key, isLong: isLong)
        hmac.update(bytes)
        return hmac.finalize()
    }
}

extension HashAlgorithm: CustomStringConvertible {
    /// The name in FIPS 180-4 or RFC 1321, as in `SHA-512/256`.
    public var description: String {
        switch function {
        case .md5: "MD5"
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        case .sha512: "SHA-512"
        case .sha512_256: "SHA-512/256"
        }
    }
}
