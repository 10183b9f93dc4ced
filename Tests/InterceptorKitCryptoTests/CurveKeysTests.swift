#if Crypto
import Expectations
import Crypto
import InterceptorKit
import InterceptorKitCrypto
import InterceptorKitSigning
import Testing

@Suite("Private keys on curves")
struct CurveKeysTests {
    @Test("sign Ed25519 so that the public half verifies it")
    func ed25519() throws {
        // snippet.ed25519
        let privateKey = Curve25519.Signing.PrivateKey()
        let key = SigningKey(id: "app-1", ed25519: privateKey)
        let verifier = VerificationKey(id: "app-1", ed25519: privateKey.publicKey)
        // snippet.end

        let signature = try key.signer.signature(of: [0x72])

        try expectEqual(key.signer.algorithm, .ed25519)
        expectEqual(verifier.algorithm, .ed25519)
        expectTrue(verifier.isValid(signature, for: [0x72]))
        expectTrue(!verifier.isValid(signature, for: [0x73]))
    }

    @Test("sign ECDSA as two integers of fixed size")
    func ecdsa() throws {
        let p256 = P256.Signing.PrivateKey()
        let p384 = P384.Signing.PrivateKey()
        let rows = [
            (
                SigningKey(id: "k", p256: p256), VerificationKey(id: "k", p256: p256.publicKey), 64,
                SignatureAlgorithm.ecdsaP256SHA256
            ),
            (
                SigningKey(id: "k", p384: p384), VerificationKey(id: "k", p384: p384.publicKey), 96,
                SignatureAlgorithm.ecdsaP384SHA384
            ),
        ]

        for (key, verifier, size, algorithm) in rows {
            let signature = try key.signer.signature(of: [1, 2, 3])
            expectEqual(signature.count, size)
            try expectTrue(key.signer.algorithm == algorithm && verifier.algorithm == algorithm)
            expectTrue(verifier.isValid(signature, for: [1, 2, 3]))
            expectTrue(!verifier.isValid(Array(signature.dropLast()), for: [1, 2, 3]))
            expectTrue(!verifier.isValid([], for: [1, 2, 3]))
        }
    }

    @Test("are not shown in a dump")
    func redaction() {
        var dumped = ""
        dump(SigningKey(id: "app-1", ed25519: .init()), to: &dumped)

        expectTrue(dumped.contains("app-1"))
        expectTrue(!dumped.contains("Curve25519"))
    }
}
#endif
