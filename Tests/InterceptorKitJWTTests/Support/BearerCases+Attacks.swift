#if JWT
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAuthentication

@testable import InterceptorKitJWT

extension BearerCases {
    private typealias Signer = @Sendable (String, BearerWorld) -> [UInt8]

    /// A token whose parts are any bytes, signed in any way; by the issuer unless it says otherwise.
    private static func attack(
        _ name: String,
        _ reason: String,
        header: BearerWorld.Members = [:],
        claims: BearerWorld.Members = [:],
        payload change: @escaping @Sendable (String, BearerWorld) -> [UInt8] = { text, _ in
            Array(text.utf8)
        },
        by signer: @escaping Signer = byIssuer
    ) -> BearerCase {
        BearerCase("RFC 8725 \(name)", .invalidToken(reason)) { world in
            let first = Base64URL.encode(BearerWorld.json(BearerWorld.header, header).utf8)
            let payload = change(BearerWorld.json(BearerWorld.claims, claims), world)
            let text = "\(first).\(Base64URL.encode(payload))"
            let token = "\(text).\(Base64URL.encode(signer(text, world)))"
            return BearerWorld.request(("Authorization", "Bearer \(token)"))
        }
    }

    private static func literal(_ name: String, _ reason: String, _ token: String) -> BearerCase {
        BearerCase("RFC 8725 \(name)", .invalidToken(reason)) { _ in
            BearerWorld.request(("Authorization", "Bearer \(token)"))
        }
    }

    @Sendable private static func byIssuer(_ text: String, _ world: BearerWorld) -> [UInt8] {
        signature(by: world.key, text)
    }

    @Sendable private static func byStranger(_ text: String, _ world: BearerWorld) -> [UInt8] {
        signature(by: P256.Signing.PrivateKey(), text)
    }

    @Sendable private static func byNobody(_ text: String, _ world: BearerWorld) -> [UInt8] { [] }

    private static func signature(by key: P256.Signing.PrivateKey, _ text: String) -> [UInt8] {
        (try? key.signature(for: Data(text.utf8)).rawRepresentation).map(Array.init) ?? []
    }

    private static func mac(_ secret: @escaping @Sendable (BearerWorld) -> Data) -> Signer {
        { text, world in
            let key = SymmetricKey(data: secret(world))
            return Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
        }
    }

    /// The numbers of a signature, each of 32 bytes, from those of the right one.
    private static func numbers(
        _ change: @escaping @Sendable (_ r: [UInt8], _ s: [UInt8]) -> [UInt8]
    ) -> Signer {
        { text, world in
            let made = byIssuer(text, world)
            return change(Array(made.prefix(32)), Array(made.suffix(32)))
        }
    }

    private static let zero = [UInt8](repeating: 0, count: 32)
    /// The order of P-256 (SP 800-186 section 3.2.1.3).
    private static let order =
        [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 4)
        + [UInt8](repeating: 0xFF, count: 8)
        + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
            0x25, 0x51,
        ]
    /// JSON of an encrypted token (RFC 7516 section 7.1), which nobody has to decrypt.
    private static let encrypted =
        "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T6DVZKTyKOMTYUmKoTCVJRgckCL9kiMT03JGe."
        + "48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6ji.XFBoMYUZodetZdvTiFvSkQ"

    /// The attacks of RFC 8725 section 2, and what its section 3 says against them.
    static let attacks: [BearerCase] = [
        literal(
            "2.1: the unsecured token of RFC 7519 section 6.1",
            "algorithm",
            "eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
        ),
        attack(
            "2.1: the algorithm changed to none",
            "algorithm",
            header: ["alg": #""none""#],
            by: byNobody
        ),
        attack(
            "2.1: none in other letters",
            "algorithm",
            header: ["alg": #""nOnE""#],
            by: byNobody
        ),
        attack(
            "2.1: none as the key's algorithm",
            "algorithm",
            header: ["alg": #""""#],
            by: byNobody
        ),
        attack("2.1: a signature that is left out", "mismatch", by: byNobody),
        attack(
            "2.1: HMAC with the public key in PEM",
            "algorithm",
            header: ["alg": #""HS256""#],
            by: mac { Data($0.key.publicKey.pemRepresentation.utf8) }
        ),
        attack(
            "2.1: HMAC with the public key in DER",
            "algorithm",
            header: ["alg": #""HS256""#],
            by: mac { $0.key.publicKey.derRepresentation }
        ),
        attack(
            "2.1: HMAC with the key set",
            "algorithm",
            header: ["alg": #""HS256""#],
            by: mac(\.keySet)
        ),
        attack("2.1: HMAC, said to be the key's algorithm", "mismatch", by: mac(\.keySet)),
        literal(
            "2.2: the token of RFC 7515 section A.1, with a shared secret",
            "algorithm",
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
                + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
        attack(
            "2.2: a weak secret",
            "algorithm",
            header: ["alg": #""HS256""#],
            by: mac { _ in Data("secret".utf8) }
        ),
        literal(
            "2.3: an encrypted token, of which nobody knows the signer",
            "malformed",
            encrypted
        ),
        attack("2.3: an encrypted token in a signed one", "malformed", header: ["cty": #""JWT""#]) {
            _,
            _ in Array(encrypted.utf8)
        },
        attack("2.4: compressed claims", "malformed", header: ["zip": #""DEF""#]) { _, _ in
            [0xAB, 0x56, 0x4A, 0xCE, 0x2F, 0x2A, 0x56, 0xB2, 0x52, 0x32, 0x54, 0xAA, 0x05, 0x00]
        },
        attack(
            "2.5: a key agreement with a point of the caller",
            "algorithm",
            header: [
                "alg": #""ECDH-ES""#,
                "epk": #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
            ]
        ),
        attack("2.6: claims in UTF-16", "malformed") { text, _ in
            Array(text.data(using: .utf16LittleEndian) ?? Data())
        },
        attack("2.6: claims in UTF-32", "malformed") { text, _ in
            Array(text.data(using: .utf32BigEndian) ?? Data())
        },
        attack("2.6: two audiences in two claims", "malformed", claims: ["aud": ""]) { text, _ in
            Array(
                #"{"aud":"https://x.example","aud":"https://api.example.com",\#(text.dropFirst())"#
                    .utf8
            )
        },
        attack(
            "2.7: a token for another service",
            "audience",
            claims: ["aud": #""https://other.example.com""#]
        ),
        attack(
            "2.7: a token of another issuer, signed with this one's key",
            "issuer",
            claims: ["iss": #""https://evil.example.com""#]
        ),
        attack(
            "2.8: an ID token",
            "type",
            header: ["typ": #""JWT""#],
            claims: ["aud": #"["app","https://api.example.com"]"#, "nonce": #""n""#]
        ),
        attack("2.8: a logout token", "type", header: ["typ": #""logout+jwt""#]),
        attack("2.8: a security event", "type", header: ["typ": #""secevent+jwt""#]),
        attack("2.8: an authorization request", "type", header: ["typ": #""oauth-authz-req+jwt""#]),
        attack(
            "2.8: a client's assertion",
            "type",
            header: ["typ": #""client-authentication+jwt""#]
        ),
        attack("2.9: a key that SQL would find", "unknownKey", header: ["kid": #""' OR '1'='1""#]),
        attack(
            "2.9: a key in a file",
            "unknownKey",
            header: ["kid": #""file:///etc/passwd""#],
            by: byNobody
        ),
        attack(
            "2.9: a key at an address of the caller",
            "unknownKey",
            header: [
                "kid": #""https://evil.example/key""#, "jku": #""https://evil.example/keys""#,
                "x5u": #""http://169.254.169.254/latest/meta-data""#,
            ],
            by: byStranger
        ),
        attack(
            "3.1: an algorithm of the issuer's, but not of the key",
            "unknownKey",
            header: ["alg": #""ES384""#]
        ),
        attack(
            "3.1: several algorithms",
            "malformed",
            header: ["alg": #"["ES256","none"]"#]
        ),
        attack("3.2: an old algorithm", "algorithm", header: ["alg": #""RSA1_5""#]),
        attack("3.2: a curve of others", "algorithm", header: ["alg": #""ES256K""#]),
        attack("3.3: another key with the same id", "mismatch", by: byStranger),
        attack(
            "3.3: the issuer's token in a stranger's",
            "malformed",
            header: ["cty": #""JWT""#],
            payload: { _, world in Array(world.token().utf8) },
            by: byStranger
        ),
        attack("3.4: a signature of two zeros", "mismatch", by: numbers { _, _ in zero + zero }),
        attack("3.4: r of zero", "mismatch", by: numbers { _, s in zero + s }),
        attack("3.4: s of zero", "mismatch", by: numbers { r, _ in r + zero }),
        attack("3.4: both numbers the order", "mismatch", by: numbers { _, _ in order + order }),
        attack("3.4: the numbers exchanged", "mismatch", by: numbers { r, s in s + r }),
        attack("3.4: numbers of 33 bytes", "mismatch", by: numbers { r, s in [0] + r + [0] + s }),
        attack(
            "3.5: an empty secret",
            "algorithm",
            header: ["alg": #""HS256""#, "kid": #""""#],
            by: mac { _ in Data() }
        ),
        attack("3.6: compressed, and said so", "malformed", header: ["zip": #""DEF""#]) { _, _ in
            [0x78, 0x9C, 0x03, 0x00]
        },
        attack("3.7: bytes that are no UTF-8", "malformed") { text, _ in
            Array(text.utf8.dropLast()) + Array(#","x":""#.utf8) + [0xC0, 0xAE] + Array(#""}"#.utf8)
        },
        attack("3.8: no issuer", "missingClaim", claims: ["iss": ""]),
        attack(
            "3.8: the issuer in capitals",
            "issuer",
            claims: ["iss": #""HTTPS://LOGIN.EXAMPLE.COM""#]
        ),
        attack("3.8: no subject", "missingClaim", claims: ["sub": ""]),
        attack("3.9: no audience", "missingClaim", claims: ["aud": ""]),
        attack("3.9: an audience of nobody", "audience", claims: ["aud": "[]"]),
        attack(
            "3.9: an audience that begins alike",
            "audience",
            claims: ["aud": #""https://api.example.com.evil.example""#]
        ),
        attack(
            "3.10: keys of the token itself",
            "mismatch",
            header: [
                "jwk": #"{"kty":"oct","k":"c2VjcmV0"}"#, "x5c": #"["MIIB"]"#,
                "x5t": #""dGhlIGNhbGxlcidz""#,
            ],
            by: mac { _ in Data("secret".utf8) }
        ),
        attack("3.10: an id of a key that is an object", "malformed", header: ["kid": #"{"k":1}"#]),
        attack("3.11: a token of no kind", "type", header: ["typ": ""]),
        attack("3.11: a kind that begins alike", "type", header: ["typ": #""at+jwtx""#]),
        BearerCase("RFC 8725 3.12: a proof in place of a token", .invalidToken("type")) { world in
            let proof = world.proof(for: "any", header: ["kid": #""k1""#])
            return BearerWorld.request(("Authorization", "Bearer \(proof)"))
        },
    ]
}
#endif
