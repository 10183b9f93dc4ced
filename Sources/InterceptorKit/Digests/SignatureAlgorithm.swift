/// A signature algorithm by its registered name (RFC 9421 section 6.2).
public struct SignatureAlgorithm: Sendable, Hashable {
    /// The name in the IANA registry "HTTP Signature Algorithms", as in `ed25519`.
    public let name: String

    /// Names an algorithm, which may be one that is not known here.
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
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017). For peers that know nothing newer.
    public static let rsaPKCS1SHA256 = SignatureAlgorithm("rsa-v1_5-sha256")
}

extension SignatureAlgorithm: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A private key that signs messages.
///
/// A key of one algorithm only; a type that shows itself shows no part of the key.
public protocol MessageSigner: Sendable {
    /// How it signs.
    var algorithm: SignatureAlgorithm { get }

    /// A signature of a message.
    /// - Parameter message: What is signed, not its hash.
    func signature(of message: [UInt8]) throws -> [UInt8]
}

/// A public key that verifies signatures of messages.
public protocol MessageVerifier: Sendable {
    /// How it verifies.
    var algorithm: SignatureAlgorithm { get }

    /// Whether a signature is one of a message with this key; `false` too for bytes that are none.
    /// - Parameters:
    ///   - signature: As received.
    ///   - message: What was signed, not its hash.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool
}
