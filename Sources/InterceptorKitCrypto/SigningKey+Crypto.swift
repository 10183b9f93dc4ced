#if Crypto
public import Crypto
public import InterceptorKit
public import InterceptorKitSigning

extension SigningKey {
    /// Creates a key that signs with Ed25519.
    /// - Parameters:
    ///   - id: The id by which the server knows the public key.
    ///   - key: The private key.
    public init(id: String, ed25519 key: Curve25519.Signing.PrivateKey) {
        self.init(id: id, signer: Ed25519Signer(key: key))
    }

    /// Creates a key that signs with ECDSA on P-256 and SHA-256.
    /// - Parameters:
    ///   - id: The id by which the server knows the public key.
    ///   - key: The private key.
    public init(id: String, p256 key: P256.Signing.PrivateKey) {
        self.init(id: id, signer: P256Signer(key: key))
    }

    /// Creates a key that signs with ECDSA on P-384 and SHA-384.
    /// - Parameters:
    ///   - id: The id by which the server knows the public key.
    ///   - key: The private key.
    public init(id: String, p384 key: P384.Signing.PrivateKey) {
        self.init(id: id, signer: P384Signer(key: key))
    }

    /// Creates a key that signs with RSA.
    /// - Parameters:
    ///   - id: The id by which the server knows the public key.
    ///   - pem: The private key, PKCS #1 or PKCS #8 in PEM, of at least 2,048 bits.
    ///   - padding: The padding. Defaults to PSS with SHA-512.
    /// - Throws: `SigningError` if the text is not such a key. The error reveals nothing of the text.
    public init(
        id: String,
        rsa pem: String,
        padding: RSAPadding = .pss
    ) throws(SigningError) {
        self.init(id: id, signer: try RSASigner(pem: pem, padding: padding))
    }
}

extension VerificationKey {
    /// Creates a key that verifies Ed25519.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - key: The public key.
    public init(id: String, ed25519 key: Curve25519.Signing.PublicKey) {
        self.init(id: id, verifier: Ed25519Verifier(key: key))
    }

    /// Creates a key that verifies ECDSA on P-256 with SHA-256.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - key: The public key.
    public init(id: String, p256 key: P256.Signing.PublicKey) {
        self.init(id: id, verifier: P256Verifier(key: key))
    }

    /// Creates a key that verifies ECDSA on P-384 with SHA-384.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - key: The public key.
    public init(id: String, p384 key: P384.Signing.PublicKey) {
        self.init(id: id, verifier: P384Verifier(key: key))
    }

    /// Creates a key that verifies RSA.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - pem: The public key in PEM, of at least 2,048 bits.
    ///   - padding: The padding. Defaults to PSS with SHA-512.
    /// - Throws: `SigningError` if the text is not such a key.
    public init(
        id: String,
        rsa pem: String,
        padding: RSAPadding = .pss
    ) throws(SigningError) {
        self.init(id: id, verifier: try RSAVerifier(pem: pem, padding: padding))
    }

    /// Creates a key that verifies RSA from its numbers, such as those of a JSON Web Key.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - modulus: The modulus `n`, at least 2,048 bits, most significant byte first.
    ///   - exponent: The public exponent `e`, most significant byte first.
    ///   - padding: The padding. Defaults to PSS with SHA-512.
    /// - Throws: `SigningError` if the numbers are not such a key.
    public init(
        id: String,
        rsaModulus modulus: [UInt8],
        exponent: [UInt8],
        padding: RSAPadding = .pss
    ) throws(SigningError) {
        let verifier = try RSAVerifier(modulus: modulus, exponent: exponent, padding: padding)
        self.init(id: id, verifier: verifier)
    }
}
#endif
