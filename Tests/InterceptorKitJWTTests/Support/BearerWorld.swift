#if JWT
import BoundedWaits
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting

@testable import InterceptorKitJWT

/// An issuer with one key, callers with its tokens, and a service that verifies them: with what no issuer and no caller
/// should send. Members are written as raw JSON, so that any mistake can be.
struct BearerWorld {
    static let issuer = "https://login.example.com"
    static let audience = "https://api.example.com"
    /// 2026-01-01 00:00:00 UTC.
    static let now = 1_767_225_600
    /// A certificate's bytes, of which only the hash counts.
    static let certificate = Array("a certificate".utf8)

    typealias Members = [String: String]

    /// The issuer's key, and the caller's for proofs.
    let key = P256.Signing.PrivateKey()
    let proofKey = P256.Signing.PrivateKey()
    let nonces = DPoPNonces()
    let sink = RecordingEventSink()
    let runtime = Runtime.live(date: { Date(timeIntervalSince1970: Double(Self.now)) })

    /// The issuer's key set.
    var keySet: Data {
        let point = key.publicKey.rawRepresentation
        let x = Base64URL.encode(point.prefix(32))
        let y = Base64URL.encode(point.suffix(32))
        return Data(
            """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"k1","alg":"ES256","use":"sig","x":"\(x)","y":"\(y)"}]}
            """.utf8
        )
    }

    static let header: Members = ["alg": #""ES256""#, "typ": #""at+jwt""#, "kid": #""k1""#]
    static let claims: Members = [
        "iss": #""https://login.example.com""#, "aud": #""https://api.example.com""#,
        "sub": #""user-7""#, "client_id": #""app""#, "exp": "\(now + 300)", "iat": "\(now)",
        "jti": #""t1""#, "scope": #""orders:read orders:write""#,
    ]

    /// The members of a proof for a token, as a caller makes it for `GET https://api.example.com/orders`.
    static func proofClaims(for token: String) -> Members {
        [
            "jti": #""p1""#, "htm": #""GET""#, "htu": #""https://api.example.com/orders""#,
            "iat": "\(now)", "ath": "\"\(hash(token))\"",
        ]
    }

    static func hash(_ text: String) -> String {
        Base64URL.encode(HashAlgorithm.sha256.hash(text.utf8))
    }

    /// The thumbprint of the caller's key, as the claim `cnf`.
    var confirmation: String { #"{"jkt":"\#(publicProofKey.thumbprint)"}"# }

    var publicProofKey: JSONWebKey {
        let point = proofKey.publicKey.rawRepresentation
        return .ellipticCurve("P-256", x: point.prefix(32), y: point.suffix(32))
    }

    var proofHeader: Members {
        ["typ": #""dpop+jwt""#, "alg": #""ES256""#, "jwk": Self.json(publicProofKey)]
    }

    static func json(_ key: JSONWebKey) -> String {
        json(key.members.mapValues { "\"\($0)\"" }, [:])
    }

    /// Returns a token with some members changed; an empty text removes one.
    func token(header: Members = [:], claims: Members = [:]) -> String {
        Self.signed(
            Self.json(Self.header, header),
            Self.json(Self.claims, claims),
            by: key
        )
    }

    /// Returns a proof for a token, likewise.
    func proof(for token: String, header: Members = [:], claims: Members = [:]) -> String {
        Self.signed(
            Self.json(proofHeader, header),
            Self.json(Self.proofClaims(for: token), claims),
            by: proofKey
        )
    }

    static func json(_ members: Members, _ changes: Members) -> String {
        let all = members.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return
            "{\(all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    static func signed(_ header: String, _ claims: String, by key: P256.Signing.PrivateKey)
        -> String
    {
        signed(header, claims) { (try? key.signature(for: $0).rawRepresentation) ?? Data() }
    }

    static func signed(_ header: String, _ claims: String, by sign: (Data) -> Data) -> String {
        let text = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        return "\(text).\(Base64URL.encode(sign(Data(text.utf8))))"
    }

    /// Returns the issuer's signature in DER, which RFC 7518 section 3.4 does not use.
    func derSignature(of text: [UInt8]) -> [UInt8] {
        (try? key.signature(for: text)).map { Array($0.derRepresentation) } ?? []
    }

    /// Returns a request with a token.
    func bearer(header: Members = [:], claims: Members = [:]) -> HTTP.Request {
        Self.request(("Authorization", "Bearer \(token(header: header, claims: claims))"))
    }

    /// Returns a request with a bound token and its proof.
    func dpop(
        claims: Members? = nil,
        proofHeader: Members = [:],
        proofClaims: Members = [:]
    ) -> HTTP.Request {
        let token = token(claims: claims ?? ["cnf": confirmation])
        let proof = proof(for: token, header: proofHeader, claims: proofClaims)
        return Self.request(("Authorization", "DPoP \(token)"), ("DPoP", proof))
    }

    static func request(_ fields: (String, String)...) -> HTTP.Request {
        HTTP.Request(
            .get,
            "https://api.example.com/orders",
            headers: HTTP.Headers(fields)
        )
    }

    /// The issuer's verifier with the default settings.
    func verifier() async throws -> JSONWebTokenVerifier {
        JSONWebTokenVerifier(
            issuer: Self.issuer,
            audience: [Self.audience],
            keys: try await JSONWebKeySet(json: keySet)
        )
    }

    /// A service behind an interceptor. It answers with the caller's subject.
    func service(_ interceptors: any Interceptor<HTTP.Request>...) throws -> Pipeline<HTTP.Request>
    {
        try Pipeline(
            interceptors,
            transport: ScriptedTransport<HTTP.Request> { _, call in
                HTTP.Response(200, headers: ["Subject": call.principal?.subject ?? ""])
            },
            runtime: runtime,
            events: sink
        )
    }

    /// Why requests were refused, in order.
    var reasons: [String] {
        sink.events.filter { $0.name == .tokenRefused }.compactMap {
            $0.attributes["reason"]?.description
        }
    }
}

/// A private key of a caller that uses the client side of this library.
struct TestSigner: MessageSigner {
    let key: P256.Signing.PrivateKey
    var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message).rawRepresentation)
    }
}
#endif
