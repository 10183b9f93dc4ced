import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DPoPKey")
struct DPoPKeyTests {
    private let key = DPoPKey(
        signer: HashSigner(),
        publicKey: .ellipticCurve("P-256", x: [1, 2, 3], y: [4, 5, 6])
    )

    @Test(
        "names algorithms as in RFC 7518 section 3.1 and RFC 8037 section 3.1",
        arguments: [
            (.ecdsaP256SHA256, "ES256"), (.ecdsaP384SHA384, "ES384"), (.ed25519, "EdDSA"),
            (.rsaPSSSHA512, "PS512"), (.rsaPKCS1SHA256, "RS256"),
        ] as [(SignatureAlgorithm, String)]
    )
    func algorithms(algorithm: SignatureAlgorithm, name: String) throws {
        let key = DPoPKey(
            signer: HashSigner(algorithm: algorithm),
            publicKey: self.key.publicKey
        )

        try expectEqual(key.algorithmName, name)
    }

    @Test("has no algorithm's name if its signer keeps a secret")
    func secret() {
        let key = DPoPKey(
            signer: HashSigner(algorithm: .hmacSHA256),
            publicKey: self.key.publicKey
        )

        let error = #expect(throws: SigningError.self) { try key.algorithmName }

        expectEqual(error?.code, .unsuitableKey)
    }

    @Test("shows only the key's thumbprint")
    func shown() {
        var dumped = ""

        dump(key, to: &dumped)

        expectTrue(dumped.contains("- thumbprint: \"\(key.thumbprint)\""))
        expectTrue(!dumped.contains("igner"))
    }
}
