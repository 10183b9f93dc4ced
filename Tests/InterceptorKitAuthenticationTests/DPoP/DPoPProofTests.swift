import Expectations
import Foundation
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DPoPProof")
struct DPoPProofTests {
    private let key = DPoPKey(
        signer: HashSigner(),
        publicKey: .ellipticCurve("P-256", x: [1, 2, 3], y: [4, 5, 6])
    )

    /// The request as it is sent with a proof.
    private func sent(_ request: HTTP.Request) async throws -> ScriptedTransport<HTTP.Request>.Sent
    {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            DPoPInterceptor(key: key, origins: ["https://api.example.com"])
        }
        _ = try await client.send(request)
        return transport.sent[0]
    }

    @Test("proves the key for the method, the URL without query, and the token")
    func proof() async throws {
        let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

        let sent = try await sent(
            .post(
                "https://API.example.com:443/a/../orders?x=1#f",
                headers: ["Authorization": "DPoP \(token)"]
            )
        )

        let proof = try SentProof(sent.input)
        expectTrue(proof.isSigned)
        expectEqual(proof.header["typ"] as? String, "dpop+jwt")
        expectEqual(proof.header["alg"] as? String, "ES256")
        expectEqual(
            proof.header["jwk"] as? [String: String],
            [
                "kty": "EC", "crv": "P-256", "x": "AQID", "y": "BAUG",
            ]
        )
        expectEqual(proof["htm"], "POST")
        expectEqual(proof["htu"], "https://api.example.com/a/../orders")
        // The example of RFC 9449 section 7.1.
        expectEqual(proof["ath"], "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        expectEqual(proof["nonce"], nil)
        expectTrue(proof.claims["iat"] is Int)
        expectEqual(sent.call.credentialFields, ["DPoP"])
    }

    @Test("uses the root path for a URL without a path")
    func root() async throws {
        let sent = try await sent(.get("https://api.example.com?page=2"))

        try expectEqual(SentProof(sent.input)["htu"], "https://api.example.com/")
    }

    @Test("writes iat in whole seconds, and 0 for an invalid date")
    func times() throws {
        let made = try [1_700_000_000.9, -0.5, 1e300, .nan].map { seconds in
            var request = HTTP.Request.get("https://api.example.com/")
            let proof = DPoPProof(key: key, request: request, nonce: nil)
            let date = Date(timeIntervalSince1970: seconds)
            request.headers["DPoP"] = try proof.text(at: date, id: [1])
            return try SentProof(request).claims["iat"] as? Int
        }

        expectEqual(made, [1_700_000_000, -1, 0, 0])
    }

    @Test(
        "hashes the token of the DPoP scheme, and no other credential",
        arguments: [
            ("DPoP abc", true), ("dpop   abc ", true), ("Bearer abc", false), ("DPoP", false),
            ("DPoPabc", false), ("Basic DPoP abc", false),
        ]
    )
    func tokenHash(field: String, isHashed: Bool) throws {
        var request = HTTP.Request.get(
            "https://api.example.com/",
            headers: ["Authorization": field]
        )
        let proof = DPoPProof(key: key, request: request, nonce: nil)
        request.headers["DPoP"] = try proof.text(at: Date(), id: [1])

        // The SHA-256 of `abc` (FIPS 180-4).
        let hash = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
        try expectEqual(SentProof(request)["ath"], (isHashed ? hash : nil))
    }
}
