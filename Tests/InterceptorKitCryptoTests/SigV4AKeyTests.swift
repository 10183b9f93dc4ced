#if Crypto
import Expectations
import ConformanceVectors
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitCrypto
import InterceptorKitSigning
import Testing

@Suite("Keys of Signature Version 4A")
struct SigV4AKeyTests {
    @Test("are derived as AWS derives them, and keep the key ID and token")
    func derivation() throws {
        let key = try SigningKey.sigV4A(
            accessKeyID: "AKISORANDOMAASORANDOM",
            secretAccessKey: "q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom".utf8,
            token: "token"
        )
        // The figures of aws-c-auth's own test of the derivation.
        let point = try unwrap(
            bytes(
                hexadecimal: "15d242ceebf8d8169fd6a8b5a746c41140414c3b07579038da06af89190fffcb"
                    + "0515242cedd82e94799482e4c0514b505afccf2c0c98d6a553bf539f424c5ec0"
            )
        )
        let published = VerificationKey(
            id: "AKISORANDOMAASORANDOM",
            p256: try P256.Signing.PublicKey(rawRepresentation: point)
        )

        let signature = try key.signer.signature(of: [1, 2, 3])

        expectTrue(published.isValid(signature, for: [1, 2, 3]))
        expectEqual(key.id, "AKISORANDOMAASORANDOM")
        expectEqual(key.token, "token")
    }

    @Test("are refused for an empty secret")
    func emptySecret() {
        #expect(throws: SigningError.self) {
            try SigningKey.sigV4A(accessKeyID: "AKID", secretAccessKey: "".utf8)
        }
        #expect(throws: SigningError.self) {
            try VerificationKey.sigV4A(accessKeyID: "AKID", secretAccessKey: "".utf8)
        }
    }

    @Test(
        "verify a signature only if its region set has the server's region",
        arguments: [
            ("eu-west-1", true), ("us-east-1,eu-*", true), ("*", true), (" eu-west-1 ,x", true),
            ("eu", false), ("us-*", false), ("eu-west-12", false),
        ]
    )
    func regions(_ set: String, _ isTaken: Bool) async throws {
        let date = Date(timeIntervalSince1970: 1_440_938_160)
        let secret = Array("secret".utf8)
        // snippet.sigv4a
        var scheme = AWSSignatureV4(service: "execute-api", region: "us-east-1,eu-*")
        scheme.algorithm = .ecdsaP256SHA256
        let key = try SigningKey.sigV4A(accessKeyID: "AKID", secretAccessKey: secret)
        // snippet.end
        scheme.region = set
        var own = scheme
        own.region = "eu-west-1"
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: "")
        )
        let verifier = AWSSignatureV4Verifier(
            own,
            keys: FixedVerificationKeys([
                try VerificationKey.sigV4A(accessKeyID: "AKID", secretAccessKey: secret)
            ])
        )

        let signed = try scheme.sign(.get("https://h.example/"), context)

        try await expectEqual(verifier.isGenuine(signed, at: date), isTaken)
    }

    @Test("reject a signature with a changed byte or another encoding")
    func flips() async throws {
        let date = Date(timeIntervalSince1970: 1_440_938_160)
        let secret = Array("secret".utf8)
        var scheme = AWSSignatureV4(service: "execute-api", region: "us-east-1")
        scheme.algorithm = .ecdsaP256SHA256
        let context = SigningContext(
            key: try SigningKey.sigV4A(accessKeyID: "AKID", secretAccessKey: secret),
            freshness: SignatureFreshness(date: date, nonce: "")
        )
        let verifier = AWSSignatureV4Verifier(
            scheme,
            keys: FixedVerificationKeys([
                try VerificationKey.sigV4A(accessKeyID: "AKID", secretAccessKey: secret)
            ])
        )
        let signed = try scheme.sign(.get("https://h.example/"), context)
        let field = Array((signed.headers["Authorization"] ?? "").utf8)

        for offset in field.indices {
            var changed = signed
            var bytes = field
            bytes[offset] =
                bytes[offset] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            changed.headers["Authorization"] = String(decoding: bytes, as: UTF8.self)
            try await expectTrue(!verifier.isGenuine(changed, at: date), "byte \(offset)")
        }
        var longer = signed
        longer.headers["Authorization"] = String(decoding: field, as: UTF8.self) + "00"
        try await expectTrue(!verifier.isGenuine(longer, at: date))
    }
}
#endif
