#if JWT
import InterceptorKit
import InterceptorKitAuthentication

@testable import InterceptorKitJWT

/// What is right or wrong in a token, in its request and in a proof, by the specification that says so.
enum BearerCases {
    private typealias Members = BearerWorld.Members

    static let all = [tokens, times, forgeries, attacks, issuers, requests, proofs].flatMap(\.self)

    private static let now = BearerWorld.now

    /// A token with other claims than a valid one has.
    private static func claims(
        _ name: String,
        _ answer: BearerCase.Answer,
        _ claims: Members
    ) -> BearerCase {
        BearerCase(name, answer) { $0.bearer(claims: claims) }
    }

    private static func header(
        _ name: String,
        _ answer: BearerCase.Answer,
        _ header: Members
    ) -> BearerCase {
        BearerCase(name, answer) { $0.bearer(header: header) }
    }

    /// A text in place of a token, made from a valid one.
    private static func text(
        _ name: String,
        _ answer: BearerCase.Answer,
        _ change: @escaping @Sendable ([String], BearerWorld) -> String
    ) -> BearerCase {
        BearerCase(name, answer) { world in
            let parts = world.token().split(separator: ".").map(String.init)
            return BearerWorld.request(("Authorization", "Bearer \(change(parts, world))"))
        }
    }

    /// A header and claims in any text, signed by the issuer.
    private static func signed(
        _ name: String,
        _ answer: BearerCase.Answer,
        header: String = BearerWorld.json(BearerWorld.header, [:]),
        claims: String = BearerWorld.json(BearerWorld.claims, [:])
    ) -> BearerCase {
        BearerCase(name, answer) { world in
            let token = BearerWorld.signed(header, claims, by: world.key)
            return BearerWorld.request(("Authorization", "Bearer \(token)"))
        }
    }

    private static let tokens: [BearerCase] =
        [
            // RFC 9068 section 4.
            claims("RFC 9068 4: a valid token", .served, [:]),
            header("RFC 9068 2.1: application/at+jwt", .served, ["typ": #""application/at+jwt""#]),
            header("RFC 9068 2.1: the type in capitals", .served, ["typ": #""AT+JWT""#]),
            header("RFC 9068 4: the type JWT", .invalidToken("type"), ["typ": #""JWT""#]),
            header("RFC 9068 4: another type", .invalidToken("type"), ["typ": #""logout+jwt""#]),
            header("RFC 9068 4: no type", .invalidToken("type"), ["typ": ""]),
            header(
                "RFC 7519 5.1: a type that is a number",
                .invalidToken("malformed"),
                ["typ": "1"]
            ),
            claims("RFC 9068 4: another issuer", .invalidToken("issuer"), ["iss": #""https://x""#]),
            claims(
                "RFC 9068 4: the issuer with another slash",
                .invalidToken("issuer"),
                ["iss": #""https://login.example.com/""#]
            ),
            claims("RFC 9068 2.2: no issuer", .invalidToken("missingClaim"), ["iss": ""]),
            claims(
                "RFC 9068 4: another audience",
                .invalidToken("audience"),
                ["aud": #""https://x""#]
            ),
            claims("RFC 9068 4: no audience", .invalidToken("missingClaim"), ["aud": ""]),
            claims(
                "RFC 7519 4.1.3: one of several audiences",
                .served,
                ["aud": #"["https://x","https://api.example.com"]"#]
            ),
            claims(
                "RFC 7519 4.1.3: an empty list of audiences",
                .invalidToken("audience"),
                ["aud": "[]"]
            ),
            claims(
                "RFC 7519 4.1.3: a list with a number",
                .invalidToken("malformed"),
                ["aud": "[1]"]
            ),
            claims("RFC 7519 4.1.3: an object", .invalidToken("malformed"), ["aud": "{}"]),
            claims("RFC 9068 4: expired", .invalidToken("expired"), ["exp": "\(now - 60)"]),
            claims("RFC 7519 4.1.4: expired within the leeway", .served, ["exp": "\(now - 59)"]),
            claims("RFC 7519 2: a time with a fraction", .served, ["exp": "\(now - 60).5"]),
            claims("RFC 9068 2.2: no expiry", .invalidToken("missingClaim"), ["exp": ""]),
            claims(
                "RFC 7519 4.1.5: not yet valid",
                .invalidToken("notYetValid"),
                ["nbf": "\(now + 61)"]
            ),
            claims("RFC 7519 4.1.5: valid within the leeway", .served, ["nbf": "\(now + 60)"]),
            claims("made in the future", .invalidToken("notYetValid"), ["iat": "\(now + 61)"]),
            claims("RFC 9068 2.2: no subject", .invalidToken("missingClaim"), ["sub": ""]),
            claims(
                "RFC 9068 2.2: an empty subject",
                .invalidToken("missingClaim"),
                ["sub": #""""#]
            ),
            claims("RFC 9068 2.2: no client", .invalidToken("missingClaim"), ["client_id": ""]),
            claims("RFC 9068 2.2: no time", .invalidToken("missingClaim"), ["iat": ""]),
            claims("RFC 9068 2.2: no id", .invalidToken("missingClaim"), ["jti": ""]),
            claims(
                "RFC 9068 2.2.3: a scope that is a number",
                .invalidToken("malformed"),
                ["scope": "1"]
            ),
            claims("a claim that is not known", .served, ["groups": "[1,{}]"]),
        ]

    /// Times that no clock shows.
    private static let times: [BearerCase] = [
        "1e400", "-1e400", "-1", "253402300800", "9223372036854775808", #""1800000000""#, "null",
        "[]",
    ].map { claims("RFC 7519 2: the expiry \($0)", .invalidToken("malformed"), ["exp": $0]) }

    private static let forgeries: [BearerCase] = [
        // RFC 8725 section 3.
        header("RFC 8725 3.1: none", .invalidToken("algorithm"), ["alg": #""none""#]),
        header("RFC 8725 3.1: None", .invalidToken("algorithm"), ["alg": #""None""#]),
        header("RFC 8725 3.1: HS256", .invalidToken("algorithm"), ["alg": #""HS256""#]),
        header(
            "RFC 8725 3.1: another kind of key",
            .invalidToken("unknownKey"),
            ["alg": #""RS256""#]
        ),
        header(
            "RFC 8725 3.1: an algorithm in small letters",
            .invalidToken("algorithm"),
            ["alg": #""es256""#]
        ),
        header("RFC 7515 4.1.1: no algorithm", .invalidToken("malformed"), ["alg": ""]),
        header(
            "RFC 7515 4.1.11: an extension",
            .invalidToken("critical"),
            ["crit": #"["x"]"#, "x": "1"]
        ),
        header("RFC 7515 4.1.11: no extensions", .invalidToken("critical"), ["crit": "[]"]),
        header("RFC 7797 6: b64 without crit", .invalidToken("critical"), ["b64": "false"]),
        header("RFC 8725 3.10: another key", .invalidToken("unknownKey"), ["kid": #""k2""#]),
        header(
            "RFC 8725 3.10: a path for a key",
            .invalidToken("unknownKey"),
            ["kid": #""../../dev/null""#]
        ),
        header(
            "RFC 7515 4.1.4: a key that is a number",
            .invalidToken("malformed"),
            ["kid": "1"]
        ),
        header("RFC 7515 4.1.4: no key named", .served, ["kid": ""]),
        BearerCase("RFC 8725 3.3: the token's own key", .invalidToken("mismatch")) { world in
            let jwk = world.proofHeader["jwk"] ?? ""
            let header = BearerWorld.json(
                BearerWorld.header,
                ["jwk": jwk, "jku": #""https://x""#]
            )
            let claims = BearerWorld.json(BearerWorld.claims, [:])
            let token = BearerWorld.signed(header, claims, by: world.proofKey)
            return BearerWorld.request(("Authorization", "Bearer \(token)"))
        },
        text("RFC 8725 3.3: a changed claim", .invalidToken("mismatch")) { parts, _ in
            let claims = BearerWorld.json(BearerWorld.claims, ["sub": #""admin""#])
            return "\(parts[0]).\(Base64URL.encode(claims.utf8)).\(parts[2])"
        },
        text("RFC 8725 3.3: no signature", .invalidToken("mismatch")) { parts, _ in
            "\(parts[0]).\(parts[1])."
        },
        text("RFC 8725 3.3: a signature of zeros", .invalidToken("mismatch")) { parts, _ in
            "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 86))"
        },
        text("RFC 8725 3.3: a signature in DER", .invalidToken("mismatch")) { parts, world in
            let text = Array("\(parts[0]).\(parts[1])".utf8)
            return "\(parts[0]).\(parts[1]).\(Base64URL.encode(world.derSignature(of: text)))"
        },
        text("RFC 7515 3.1: two parts", .invalidToken("malformed")) { parts, _ in
            "\(parts[0]).\(parts[1])"
        },
        text("RFC 7516 3.1: five parts", .invalidToken("malformed")) { parts, _ in
            parts.joined(separator: ".") + ".e30.e30"
        },
        text("RFC 7515 2: padding", .invalidToken("malformed")) { parts, _ in
            parts.joined(separator: ".") + "=="
        },
        text("RFC 7515 2: the other alphabet", .invalidToken("malformed")) { parts, _ in
            "\(parts[0]).\(parts[1]).+/\(parts[2].dropFirst(2))"
        },
        text("RFC 4648 3.5: bits left over", .invalidToken("malformed")) { parts, _ in
            // 86 digits have four bits more than 64 bytes.
            "\(parts[0]).\(parts[1]).\(parts[2].dropLast())B"
        },
        text("RFC 7515 10.12: longer than the limit", .invalidToken("tooLong")) { parts, _ in
            parts.joined(separator: ".") + String(repeating: "A", count: 16 * 1024)
        },
        text("an opaque token", .invalidToken("malformed")) { _, _ in "mF_9.B5f-4.1JqM" },
        signed(
            "RFC 8725 2.6: a claim twice",
            .invalidToken("malformed"),
            claims: BearerWorld.json(BearerWorld.claims, ["z": #"1,"sub":"admin""#])
        ),
        signed(
            "RFC 8725 2.6: a claim twice by an escape",
            .invalidToken("malformed"),
            claims: BearerWorld.json(BearerWorld.claims, ["z": #"1,"s\u0075b":"admin""#])
        ),
        signed(
            "RFC 8725 2.6: a name twice within a claim",
            .invalidToken("malformed"),
            claims: BearerWorld.json(BearerWorld.claims, ["act": #"{"sub":"a","sub":"b"}"#])
        ),
        signed(
            "RFC 8725 2.6: an algorithm twice",
            .invalidToken("malformed"),
            header: #"{"alg":"ES256","alg":"none","typ":"at+jwt","kid":"k1"}"#
        ),
        signed(
            "RFC 7519 7.2: claims that are a list",
            .invalidToken("malformed"),
            claims: "[]"
        ),
        signed("RFC 7519 7.2: no claims", .invalidToken("malformed"), claims: ""),
        signed(
            "RFC 7519 7.2: a token within",
            .invalidToken("malformed"),
            claims: "e30.e30.AA"
        ),
        signed(
            "RFC 8259 8.1: a byte order mark",
            .invalidToken("malformed"),
            claims: "\u{FEFF}" + BearerWorld.json(BearerWorld.claims, [:])
        ),
        signed(
            "RFC 8259 8.2: half of a pair",
            .invalidToken("malformed"),
            claims: BearerWorld.json(BearerWorld.claims, ["sub": #""\ud800""#])
        ),
        signed(
            "levels without end",
            .invalidToken("malformed"),
            claims: BearerWorld.json(
                BearerWorld.claims,
                ["z": String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)]
            )
        ),
    ]

    /// What older issuers write.
    private static let issuers: [BearerCase] = [
        BearerCase("Auth0, Keycloak: the type JWT", .served, at: .relaxed) {
            $0.bearer(header: ["typ": #""JWT""#])
        },
        BearerCase("Okta: scp, cid and no client_id", .served, at: .relaxed) {
            $0.bearer(
                header: ["typ": ""],
                claims: [
                    "scope": "", "scp": #"["orders:read"]"#, "client_id": "", "cid": #""a""#,
                ]
            )
        },
        BearerCase("Microsoft Entra: scp as a text", .served, at: .relaxed) {
            $0.bearer(
                header: ["typ": #""JWT""#],
                claims: ["scope": "", "scp": #""orders:read b""#]
            )
        },
        BearerCase("Cognito: no type and no audience", .served, at: .relaxed) {
            $0.bearer(header: ["typ": ""], claims: ["aud": ""])
        },
        BearerCase(
            "RFC 9068 4: at+jwt where JWT is accepted",
            .invalidToken("type"),
            at: .relaxed
        ) {
            $0.bearer()
        },
    ]
}
#endif
