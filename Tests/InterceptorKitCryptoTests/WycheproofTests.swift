#if Crypto
import Expectations
import ConformanceVectors
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitCrypto
import InterceptorKitSigning
import TestRun
import Testing

@Suite("Public keys against Wycheproof")
struct WycheproofTests {
    @Test(
        "accept valid signatures and reject invalid ones",
        .tags(.vectors),
        .vectors("crypto/wycheproof")
    )
    func conformance() throws {
        var result = Conformance("wycheproof-signatures")
        for (name, makeKey) in keys {
            let data = try Vectors.data("crypto/wycheproof/\(name)_test.json")
            for group in try JSONDecoder().decode(Suite.self, from: data).testGroups {
                let key = try makeKey(group)
                for test in group.tests {
                    guard test.result != "acceptable" else {
                        result.skip()
                        continue
                    }
                    let signature = bytes(hexadecimal: test.sig) ?? []
                    let isValid = key.isValid(signature, for: bytes(hexadecimal: test.msg) ?? [])
                    result.note(isValid == (test.result == "valid"), "\(name) \(test.tcId)")
                }
            }
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed + result.skipped, 151 + 262 + 280 + 179 + 259)
        print(result.summary)
    }

    private let keys: [(String, @Sendable (Group) throws -> VerificationKey)] = [
        (
            "ed25519",
            { group in
                // The last 32 bytes of the DER form are the key.
                let raw = (bytes(hexadecimal: group.publicKeyDer) ?? []).suffix(32)
                return VerificationKey(
                    id: "k",
                    ed25519: try Curve25519.Signing.PublicKey(rawRepresentation: raw)
                )
            }
        ),
        (
            "ecdsa_secp256r1_sha256_p1363",
            { group in
                let der = bytes(hexadecimal: group.publicKeyDer) ?? []
                return VerificationKey(
                    id: "k",
                    p256: try P256.Signing.PublicKey(derRepresentation: der)
                )
            }
        ),
        (
            "ecdsa_secp384r1_sha384_p1363",
            { group in
                let der = bytes(hexadecimal: group.publicKeyDer) ?? []
                return VerificationKey(
                    id: "k",
                    p384: try P384.Signing.PublicKey(derRepresentation: der)
                )
            }
        ),
        (
            "rsa_pss_4096_sha512_mgf1_64",
            { try VerificationKey(id: "k", rsa: $0.publicKeyPem, padding: .pss) }
        ),
        (
            "rsa_signature_2048_sha256",
            { try VerificationKey(id: "k", rsa: $0.publicKeyPem, padding: .pkcs1) }
        ),
    ]
}

private struct Suite: Decodable {
    let testGroups: [Group]
}

private struct Group: Decodable {
    let publicKeyDer: String
    let publicKeyPem: String
    let tests: [Row]
}

private struct Row: Decodable {
    let tcId: Int
    let msg: String
    let sig: String
    let result: String
}
#endif
