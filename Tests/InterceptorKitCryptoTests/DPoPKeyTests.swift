#if Crypto
import Expectations
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitCrypto
import InterceptorKitSigning
import Testing

@Suite("DPoPKey with real keys")
struct DPoPKeyTests {
    /// A proof taken apart.
    private struct Proof {
        struct Header: Decodable {
            var typ: String
            var alg: String
            var jwk: [String: String]
        }

        var header: Header
        var message: Data
        var signature: Data

        init(_ text: String) throws {
            let parts = text.split(separator: ".").map(String.init)
            try requireEqual(parts.count, 3)
            header = try JSONDecoder().decode(Header.self, from: #require(bytes(parts[0])))
            message = Data("\(parts[0]).\(parts[1])".utf8)
            signature = try unwrap(bytes(parts[2]))
        }
    }

    /// The proof that a request is sent with.
    private func proof(by key: DPoPKey) async throws -> Proof {
        let pipeline = try Pipeline(transport: Mirroring()) {
            DPoPInterceptor(key: key, origins: ["https://api.example.com"])
        }
        let response = try await pipeline.run(.get("https://api.example.com/orders"))
        return try Proof(#require(response.headers["DPoP"]))
    }

    @Test("signs a proof with P-256 that the key in the proof verifies")
    func p256() async throws {
        let proof = try await proof(by: DPoPKey(p256: P256.Signing.PrivateKey()))

        let x = try unwrap(bytes(proof.header.jwk["x"]))
        let y = try unwrap(bytes(proof.header.jwk["y"]))
        let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: proof.signature)
        expectEqual(proof.header.alg, "ES256")
        expectEqual(proof.header.typ, "dpop+jwt")
        expectEqual(proof.header.jwk.keys.sorted(), ["crv", "kty", "x", "y"])
        expectTrue(key.isValidSignature(signature, for: proof.message))
        expectTrue(!key.isValidSignature(signature, for: proof.message + Data([0])))
    }

    @Test("signs a proof with P-384 that the key in the proof verifies")
    func p384() async throws {
        let proof = try await proof(by: DPoPKey(p384: P384.Signing.PrivateKey()))

        let x = try unwrap(bytes(proof.header.jwk["x"]))
        let y = try unwrap(bytes(proof.header.jwk["y"]))
        let key = try P384.Signing.PublicKey(rawRepresentation: x + y)
        let signature = try P384.Signing.ECDSASignature(rawRepresentation: proof.signature)
        expectEqual(proof.header.alg, "ES384")
        expectTrue(key.isValidSignature(signature, for: proof.message))
    }

    @Test("signs a proof with Ed25519 that the key in the proof verifies")
    func ed25519() async throws {
        let proof = try await proof(by: DPoPKey(ed25519: Curve25519.Signing.PrivateKey()))

        let x = try unwrap(bytes(proof.header.jwk["x"]))
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: x)
        expectEqual(proof.header.alg, "EdDSA")
        expectEqual(proof.header.jwk["crv"], "Ed25519")
        expectTrue(key.isValidSignature(proof.signature, for: proof.message))
    }

    @Test("shows its thumbprint and no private key")
    func redaction() {
        let key = P256.Signing.PrivateKey()
        let proving = DPoPKey(p256: key)
        var dumped = ""
        dump(proving, to: &dumped)

        expectEqual("\(proving)", "DPoPKey(\(proving.thumbprint))")
        expectTrue(dumped.contains(proving.thumbprint) && !dumped.contains("PrivateKey"))
    }
}

/// Answers with the fields it was sent.
private struct Mirroring: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(200, headers: input.headers)
    }
}

private func bytes(_ text: String?) -> Data? {
    guard let text else { return nil }
    var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    while standard.utf8.count % 4 != 0 { standard += "=" }
    return Data(base64Encoded: standard)
}
#endif
