#if Crypto
public import Crypto
import InterceptorKit
public import InterceptorKitAuthentication

extension DPoPKey {
    /// Creates a key that signs proofs with ECDSA on P-256 (`ES256`), which every server must support.
    /// - Parameter key: The private key. Keep it for as long as tokens are bound to it.
    public init(p256 key: P256.Signing.PrivateKey) {
        let point = key.publicKey.rawRepresentation
        self.init(
            signer: P256Signer(key: key),
            publicKey: .ellipticCurve("P-256", x: point.prefix(32), y: point.suffix(32))
        )
    }

    /// Creates a key that signs proofs with ECDSA on P-384 (`ES384`).
    /// - Parameter key: The private key. Keep it for as long as tokens are bound to it.
    public init(p384 key: P384.Signing.PrivateKey) {
        let point = key.publicKey.rawRepresentation
        self.init(
            signer: P384Signer(key: key),
            publicKey: .ellipticCurve("P-384", x: point.prefix(48), y: point.suffix(48))
        )
    }

    /// Creates a key that signs proofs with Ed25519 (`EdDSA`).
    /// - Parameter key: The private key. Keep it for as long as tokens are bound to it.
    public init(ed25519 key: Curve25519.Signing.PrivateKey) {
        self.init(
            signer: Ed25519Signer(key: key),
            publicKey: .octetPair("Ed25519", x: key.publicKey.rawRepresentation)
        )
    }
}
#endif
