import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signed statement by which a client authenticates itself (RFC 7523 section 3).
struct ClientAssertion: Sendable {
    /// The lifetime of an assertion, in seconds. Assertions are sent at once; the rest allows for clock differences.
    static let lifetime = 60
    /// The minimum length of a secret, in bytes (RFC 7518 section 3.2).
    static let shortestSecret = 32

    private struct Header: Encodable {
        var typ = "JWT"
        var alg: String
        var kid: String?
    }

    private struct Claims: Encodable {
        var iss: String
        var sub: String
        var aud: String
        var jti: String
        var iat: Int
        var exp: Int
    }

    let client: String
    let key: SigningKey
    /// The intended recipient; `nil` for the token endpoint.
    let audience: String?

    /// The parameters that carry an assertion (RFC 7521 section 4.2).
    static func parameters(_ client: String, _ text: String) -> [(name: String, value: String)] {
        [
            ("client_id", client),
            ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            ("client_assertion", text),
        ]
    }

    /// Returns a signed assertion.
    /// - Parameters:
    ///   - endpoint: The token endpoint.
    ///   - date: The date of the assertion.
    ///   - id: A unique id.
    /// - Throws: `SigningError` for a key that cannot sign it.
    func text(for endpoint: HTTP.URL, at date: Date, id: [UInt8]) throws -> String {
        let time = Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        let claims = Claims(
            iss: client,
            sub: client,
            aud: audience ?? endpoint.text,
            jti: Base64URL.encode(id),
            iat: time,
            exp: time + Self.lifetime
        )
        if key.isSecret {
            guard try key.secret.bytes.count >= Self.shortestSecret else {
                throw SigningError(
                    .unsuitableKey,
                    "The client's secret has fewer than \(Self.shortestSecret) bytes, which is too short "
                        + "for HS256 (RFC 7518 section 3.2). Use another authentication of the client."
                )
            }
            return try JSONWebSignature.text(Header(alg: "HS256"), claims) { message in
                Array(try key.authenticationCode(of: message))
            }
        }
        let signer = try key.signer
        guard let name = signer.algorithm.jsonName else {
            throw SigningError(
                .unsuitableKey,
                "A client assertion cannot be signed by \(signer.algorithm). Give a key for RSA, ECDSA or "
                    + "Ed25519."
            )
        }
        return try JSONWebSignature.text(Header(alg: name, kid: key.id), claims) { message in
            try signer.signature(of: message)
        }
    }
}
