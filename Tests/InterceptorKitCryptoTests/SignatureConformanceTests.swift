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

/// The rows of RFC 9421 that need private keys; the others are in the core's suite of that name, and so
/// are all signature bases.
@Suite("Private keys against the examples of RFC 9421 and curl")
struct SignatureConformanceTests {
    @Test(
        "verify as the examples do, and sign alike if it is deterministic",
        .tags(.vectors),
        .vectors("rfc9421/signatures.json")
    )
    func conformance() throws {
        var result = Conformance("rfc9421-asymmetric")
        let examples = try decode(Examples.self, "signatures.json")
        for row in examples.cases where row.algorithm != SignatureAlgorithm.hmacSHA256.name {
            let key = try unwrap(examples.keys[row.keyid])
            result.note(try key.result(on: row) == (row.expect == "valid"), row.id)
            guard row.reproducible, row.expect == "valid" else { continue }
            if isRandomised, row.algorithm == SignatureAlgorithm.ed25519.name { continue }
            result.note(
                try key.signature(of: row) == Array(row.signature_base64),
                "\(row.id) signed"
            )
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed, (isRandomised ? 19 : 24))
        print(result.summary)
    }

    @Test(
        "come to the same signatures as curl",
        .tags(.vectors),
        .vectors("rfc9421/curl-httpsig.json")
    )
    func curl() throws {
        var result = Conformance("rfc9421-curl")
        let curl = try decode(CurlExamples.self, "curl-httpsig.json")
        let seed = try unwrap(curl.keys["test-key-ed25519"]?.seed_hex.flatMap(bytes(hexadecimal:)))
        let privateKey = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        let signer = try SigningKey(id: "k", ed25519: privateKey).signer
        let verifier = VerificationKey(id: "k", ed25519: privateKey.publicKey)
        for row in curl.cases where row.algorithm == SignatureAlgorithm.ed25519.name {
            // curl's tests cut some of the signatures out.
            guard let signature = row.signature_base64.map({ Array($0) }),
                let base = row.signature_base
            else { continue }
            let own = try signer.signature(of: Array(base.utf8))
            let isSame = isRandomised || own == signature
            result.note(verifier.isValid(signature, for: Array(base.utf8)) && isSame, row.name)
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed, 13)
        print(result.summary)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let object = try JSONSerialization.jsonObject(with: Vectors.data("rfc9421/\(name)"))
        let members = (object as? [String: Any] ?? [:]).filter { !$0.key.hasPrefix("_") }
        return try JSONDecoder().decode(
            type,
            from: JSONSerialization.data(withJSONObject: members)
        )
    }
}

/// Whether Ed25519 signs the same text differently each time, as Apple's platforms do.
private var isRandomised: Bool {
    #if canImport(Darwin)
    true
    #else
    false
    #endif
}

private struct Examples: Decodable {
    let keys: [String: Key]
    let cases: [Example]
}

private struct Example: Decodable {
    let id: String
    let algorithm: String
    let keyid: String
    let signature_base: String
    let signature_base64: Data
    let reproducible: Bool
    let expect: String
}

private struct Key: Decodable {
    struct JWK: Decodable {
        let d: String?
        let n: String?
        let e: String?
    }

    let public_pem: String?
    let private_pem: String?
    let jwk: JWK?

    func result(on row: Example) throws -> Bool {
        try verifier(row.algorithm)?.isValid(
            Array(row.signature_base64),
            for: Array(row.signature_base.utf8)
        ) ?? false
    }

    func signature(of row: Example) throws -> [UInt8] {
        let base = Array(row.signature_base.utf8)
        switch SignatureAlgorithm(row.algorithm) {
        case .ed25519:
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: decoded(jwk?.d))
            return try SigningKey(id: "k", ed25519: key).signer.signature(of: base)
        default:
            let key = try SigningKey(id: "k", rsa: private_pem ?? "", padding: .pkcs1)
            return try key.signer.signature(of: base)
        }
    }

    private func verifier(_ algorithm: String) throws -> VerificationKey? {
        switch SignatureAlgorithm(algorithm) {
        case .ed25519:
            // The last 32 bytes of the DER form are the key.
            let lines = (public_pem ?? "").split(separator: "\n").filter { !$0.hasPrefix("-") }
            let der = Data(base64Encoded: lines.joined()) ?? Data()
            return VerificationKey(
                id: "k",
                ed25519: try Curve25519.Signing.PublicKey(rawRepresentation: der.suffix(32))
            )
        case .ecdsaP256SHA256:
            let key = try P256.Signing.PublicKey(pemRepresentation: public_pem ?? "")
            return VerificationKey(id: "k", p256: key)
        case .rsaPSSSHA512:
            return try VerificationKey(
                id: "k",
                rsaModulus: decoded(jwk?.n),
                exponent: decoded(jwk?.e)
            )
        case .rsaPKCS1SHA256:
            return try VerificationKey(id: "k", rsa: public_pem ?? "", padding: .pkcs1)
        default:
            return nil
        }
    }

    private func decoded(_ text: String?) -> [UInt8] {
        var text = (text ?? "").replacing("-", with: "+").replacing("_", with: "/")
        while !text.utf8.count.isMultiple(of: 4) { text += "=" }
        return Array(Data(base64Encoded: text) ?? Data())
    }
}

private struct CurlExamples: Decodable {
    let keys: [String: CurlKey]
    let cases: [CurlExample]
}

private struct CurlKey: Decodable {
    let seed_hex: String?
}

private struct CurlExample: Decodable {
    let name: String
    let algorithm: String?
    let signature_base: String?
    let signature_base64: Data?
}
#endif
