#if JWT
import InterceptorKit

@testable import InterceptorKitJWT

extension BearerCases {
    /// A bound token with a proof that has other claims than a valid one.
    private static func proof(
        _ name: String,
        _ answer: BearerCase.Answer,
        header: BearerWorld.Members = [:],
        claims: BearerWorld.Members = [:]
    ) -> BearerCase {
        BearerCase(name, answer, at: .bound) {
            $0.dpop(proofHeader: header, proofClaims: claims)
        }
    }

    /// Fields made from a bound token and its proof.
    private static func bound(
        _ name: String,
        _ answer: BearerCase.Answer,
        at service: BearerCase.Service = .bound,
        _ fields: @escaping @Sendable (String, BearerWorld) -> [(String, String)]
    ) -> BearerCase {
        BearerCase(name, answer, at: service) { world in
            let token = world.token(claims: ["cnf": world.confirmation])
            return HTTP.Request(
                .get,
                "https://api.example.com/orders",
                headers: HTTP.Headers(fields(token, world))
            )
        }
    }

    private static func target(
        _ url: String,
        _ requested: HTTP.URL = "https://api.example.com/orders",
        _ answer: BearerCase.Answer = .served
    ) -> BearerCase {
        BearerCase("RFC 9449 4.3: \(url) for \(requested.text)", answer, at: .bound) { world in
            var request = world.dpop(proofClaims: ["htu": "\"\(url)\""])
            request.url = requested
            return request
        }
    }

    private static let now = BearerWorld.now
    private static let malformed = BearerCase.Answer.invalidProof("proofMalformed")

    static let proofs: [BearerCase] = [
        proof("RFC 9449 4.3: a valid proof", .served),
        bound("RFC 9449 4.3: no proof", .invalidProof("proofMissing")) { token, _ in
            [("Authorization", "DPoP \(token)")]
        },
        bound("RFC 9449 4.3: two proofs", malformed) { token, world in
            let proof = ("DPoP", world.proof(for: token))
            return [("Authorization", "DPoP \(token)"), proof, proof]
        },
        bound("RFC 9449 4.3: two proofs in a field", malformed) { token, world in
            let proof = world.proof(for: token)
            return [("Authorization", "DPoP \(token)"), ("DPoP", "\(proof), \(proof)")]
        },
        bound("RFC 9449 7.2: a bound token as Bearer", .invalidToken("binding")) { token, world in
            [("Authorization", "Bearer \(token)"), ("DPoP", world.proof(for: token))]
        },
        bound("RFC 9449 7.2: as Bearer, without proofs", .invalidToken("binding"), at: .bearer) {
            token,
            world in [("Authorization", "Bearer \(token)"), ("DPoP", world.proof(for: token))]
        },
        bound("RFC 9449 7.1: DPoP, without proofs", .refused(401, nil, "missing"), at: .bearer) {
            token,
            world in [("Authorization", "DPoP \(token)"), ("DPoP", world.proof(for: token))]
        },
        bound(
            "RFC 9449 7.1: Bearer where it is not accepted",
            .refused(401, nil, "missing"),
            at: .nonces
        ) {
            token,
            world in [("Authorization", "Bearer \(world.token())")]
        },
        BearerCase("RFC 9449 7.1: a token without a key", .invalidToken("binding"), at: .bound) {
            $0.dpop(claims: [:])
        },
        BearerCase(
            "RFC 9449 7.1: another key than the token's",
            .invalidToken("binding"),
            at: .bound
        ) {
            $0.dpop(claims: ["cnf": #"{"jkt":"\#(BearerWorld.hash("another"))"}"#])
        },
        BearerCase("RFC 9449 7.1: a token that has expired", .invalidToken("expired"), at: .bound) {
            $0.dpop(claims: ["cnf": $0.confirmation, "exp": "\(now - 60)"])
        },
        bound("RFC 9449 4.3: a proof for another token", .invalidProof("proofToken")) {
            token,
            world in
            let proof = world.proof(for: world.token())
            return [("Authorization", "DPoP \(token)"), ("DPoP", proof)]
        },
        proof(
            "RFC 9449 4.3: no hash of the token",
            .invalidProof("proofToken"),
            claims: ["ath": ""]
        ),
        proof("RFC 9449 4.2: the type JWT", malformed, header: ["typ": #""JWT""#]),
        proof("RFC 9449 4.2: no type", malformed, header: ["typ": ""]),
        proof("RFC 9449 4.2: none", .invalidProof("proofAlgorithm"), header: ["alg": #""none""#]),
        proof("RFC 9449 4.2: HS256", .invalidProof("proofAlgorithm"), header: ["alg": #""HS256""#]),
        proof(
            "RFC 9449 4.2: another algorithm",
            .invalidProof("proofKey"),
            header: ["alg": #""ES384""#]
        ),
        proof("RFC 9449 4.2: no key", .invalidProof("proofKey"), header: ["jwk": ""]),
        proof(
            "RFC 9449 4.2: a key that is text",
            .invalidProof("proofKey"),
            header: ["jwk": #""k""#]
        ),
        proof(
            "RFC 9449 4.2: a shared secret",
            .invalidProof("proofKey"),
            header: ["jwk": #"{"kty":"oct","k":"AQID"}"#]
        ),
        proof(
            "RFC 9449 4.2: a point that is on no curve",
            .invalidProof("proofKey"),
            header: [
                "jwk":
                    #"{"kty":"EC","crv":"P-256","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","y":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#
            ]
        ),
        proof(
            "RSA with a modulus that takes long",
            .invalidProof("proofKey"),
            header: [
                "alg": #""RS256""#,
                "jwk": #"{"kty":"RSA","e":"AQAB","n":"\#(String(repeating: "_", count: 1364))"}"#,
            ]
        ),
        BearerCase("RFC 9449 4.3: a private key", .invalidProof("proofKey"), at: .bound) { world in
            let jwk = world.proofHeader["jwk"] ?? ""
            return world.dpop(proofHeader: ["jwk": jwk.dropLast() + #","d":"AQID"}"#])
        },
        BearerCase(
            "RFC 9449 4.3: another key's signature",
            .invalidProof("proofMismatch"),
            at: .bound
        ) {
            let other = BearerWorld()
            return $0.dpop(proofHeader: ["jwk": other.proofHeader["jwk"] ?? ""])
        },
        proof("RFC 9449 4.2: no id", malformed, claims: ["jti": ""]),
        proof("RFC 9449 4.2: an empty id", malformed, claims: ["jti": #""""#]),
        proof(
            "an id of 256 bytes",
            .served,
            claims: ["jti": "\"\(String(repeating: "a", count: 256))\""]
        ),
        proof(
            "an id of 257 bytes",
            malformed,
            claims: ["jti": "\"\(String(repeating: "a", count: 257))\""]
        ),
        proof(
            "RFC 9449 4.3: another method",
            .invalidProof("proofTarget"),
            claims: ["htm": #""POST""#]
        ),
        proof(
            "RFC 9110 9.1: a method in small letters",
            .invalidProof("proofTarget"),
            claims: ["htm": #""get""#]
        ),
        proof("RFC 9449 4.2: no method", .invalidProof("proofTarget"), claims: ["htm": ""]),
        proof("RFC 9449 4.2: no URL", .invalidProof("proofTarget"), claims: ["htu": ""]),
        target("HTTPS://API.example.com:443/orders"),
        target("https://api.example.com/orders?page=2#f", "https://api.example.com/orders?page=3"),
        target("https://api.example.com/%6frders"),
        target("https://api.example.com/a%2fb", "https://api.example.com/a%2Fb"),
        target("https://api.example.com/a/../orders"),
        target("https://api.example.com", "https://api.example.com/"),
        target("https://api.example.com/orders", "/orders", .invalidProof("proofTarget")),
        target("/orders", "https://api.example.com/orders", .invalidProof("proofTarget")),
        target(
            "https://api.example.com/a%2Fb",
            "https://api.example.com/a/b",
            .invalidProof("proofTarget")
        ),
        target(
            "https://api.example.com/Orders",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        target(
            "https://api.example.com/orders/",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        target(
            "http://api.example.com/orders",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        target(
            "https://api.example.com:8443/orders",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        target(
            "https://a@api.example.com/orders",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        target(
            "https://api.example.com.evil/orders",
            "https://api.example.com/orders",
            .invalidProof("proofTarget")
        ),
        proof("RFC 9449 11.1: a minute ago", .served, claims: ["iat": "\(now - 60)"]),
        proof(
            "RFC 9449 11.1: longer ago",
            .invalidProof("proofTime"),
            claims: ["iat": "\(now - 61)"]
        ),
        proof(
            "RFC 9449 11.1: in the future",
            .invalidProof("proofTime"),
            claims: ["iat": "\(now + 61)"]
        ),
        proof("RFC 9449 4.2: a time without end", malformed, claims: ["iat": "1e400"]),
        proof("RFC 9449 4.2: a time that is text", malformed, claims: ["iat": "\"\(now)\""]),
        proof("RFC 9449 4.2: no time", malformed, claims: ["iat": ""]),
        proof("RFC 7515 4.1.11: an extension", malformed, header: ["crit": #"["x"]"#]),
        proof("RFC 9449 9: a nonce that nobody asked for", .served, claims: ["nonce": #""n""#]),
        BearerCase(
            "RFC 9449 9: no nonce",
            .refused(401, "use_dpop_nonce", "proofNonce"),
            at: .nonces
        ) {
            $0.dpop()
        },
        BearerCase(
            "RFC 9449 9: another server's nonce",
            .refused(401, "use_dpop_nonce", "proofNonce"),
            at: .nonces
        ) {
            let nonce = DPoPNonces().fresh(on: $0.runtime)
            return $0.dpop(proofClaims: ["nonce": "\"\(nonce)\""])
        },
        BearerCase("RFC 9449 9: the server's nonce", .served, at: .nonces) {
            let nonce = $0.nonces.fresh(on: $0.runtime)
            return $0.dpop(proofClaims: ["nonce": "\"\(nonce)\""])
        },
    ]
}
#endif
