/// A signature algorithm by its registered name (RFC 9421 section 6.2).
public struct SignatureAlgorithm: Sendable, Hashable {
    /// The name in the IANA registry "HTTP Signature Algorithms", as in `ed25519`.
    public let name: String

    /// Creates an algorithm from its name, which may be unknown to this library.
    public init(_ name: String) { self.name = name }

    /// HMAC with SHA-256: one secret on both sides.
    public static let hmacSHA256 = SignatureAlgorithm("hmac-sha256")
    /// EdDSA on edwards25519 (RFC 8032): signatures of 64 bytes.
    public static let ed25519 = SignatureAlgorithm("ed25519")
    /// ECDSA on P-256 with SHA-256: signatures of 64 bytes, `r` and `s`.
    public static let ecdsaP256SHA256 = SignatureAlgorithm("ecdsa-p256-sha256")
    /// ECDSA on P-384 with SHA-384: signatures of 96 bytes, `r` and `s`.
    public static let ecdsaP384SHA384 = SignatureAlgorithm("ecdsa-p384-sha384")
    /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of 64 bytes (RFC 8017).
    public static let rsaPSSSHA512 = SignatureAlgorithm("rsa-pss-sha512")
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017). For peers that support nothing newer.
    public static let rsaPKCS1SHA256 = SignatureAlgorithm("rsa-v1_5-sha256")
}

extension SignatureAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A private key that signs messages.
///
/// A signer has one key for one algorithm. A conforming type must not show any part of the key when it is printed.
public protocol MessageSigner: Sendable {
    /// The algorithm of the signatures.
    var algorithm: SignatureAlgorithm { get }

    /// Returns the signature of a message.
    /// - Parameter message: The message, not its hash.
    func signature(of message: [UInt8]) throws -> [UInt8]
}

/// A public key that verifies signatures of messages.
public protocol MessageVerifier: Sendable {
    /// The algorithm of the signatures.
    var algorithm: SignatureAlgorithm { get }

    /// Returns whether a signature of a message was made with this key; also `false` for bytes that aren't a signature.
    /// - Parameters:
    ///   - signature: The signature as received.
    ///   - message: The signed message, not its hash.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool
}
