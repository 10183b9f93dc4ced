import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitAuthentication

/// The parts of a JSON Web Signature, read.
private struct ReadAssertion {
    let header: [String: String]
    let claims: [String: String]
    let message: String
    let signature: [UInt8]

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try requireEqual(parts.count, 3)
        header = try Self.members(parts[0])
        claims = try Self.members(parts[1])
        message = "\(parts[0]).\(parts[1])"
        signature = Array(try Self.data(parts[2]))
    }

    private static func data(_ text: String) throws -> Data {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return try unwrap(Data(base64Encoded: standard + padding))
    }

    private static func members(_ text: String) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: data(text)) as? [String: Any] ?? [:]
        return object.mapValues { "\($0)" }
    }
}

@Suite("Client assertions")
struct ClientAssertionTests {
    private static let secret = "a secret of at least thirty-two bytes"
    private static let answer = ScriptStep<HTTP.Request>.json(#"{"access_token":"a1"}"#)

    @Test("say who the client is, to the token endpoint, for a minute")
    func claims() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [Self.answer])
            let client = OAuthClient.clientSecretJWT(id: "app", secret: Self.secret)
            let source = ClientCredentialsSource(
                at: try endpoint(transport, client: client, runtime: simulation.runtime),
                scopes: ["a"]
            )

            _ = try await source.load()

            let parameters = asked(transport.sent[0].input)
            let assertion = try ReadAssertion(parameters["client_assertion"] ?? "")
            let now = Int(Simulation.startDate.timeIntervalSince1970)
            expectEqual(assertion.header, ["alg": "HS256", "typ": "JWT"])
            expectEqual(
                assertion.claims.filter { $0.key != "jti" },
                [
                    "iss": "app", "sub": "app", "aud": "https://login.example.com/token",
                    "iat": "\(now)", "exp": "\(now + 60)",
                ]
            )
            expectEqual(assertion.claims["jti"]?.count, 22)
            let code = HashAlgorithm.sha256.authenticationCode(
                of: assertion.message.utf8,
                key: Array(Self.secret.utf8)
            )
            expectEqual(assertion.signature, Array(code))
            expectEqual(
                parameters.filter { $0.key != "client_assertion" },
                [
                    "grant_type": "client_credentials", "scope": "a", "client_id": "app",
                    "client_assertion_type":
                        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                ]
            )
            expectEqual(transport.sent[0].input.headers["Authorization"], nil)
        }
    }

    @Test(
        "name the algorithm and the key of a private key",
        arguments: [
            (SignatureAlgorithm.ecdsaP256SHA256, "ES256"), (.ecdsaP384SHA384, "ES384"),
            (.ed25519, "EdDSA"), (.rsaPSSSHA512, "PS512"), (.rsaPKCS1SHA256, "RS256"),
        ]
    )
    func privateKey(_ algorithm: SignatureAlgorithm, _ name: String) throws {
        let key = SigningKey(id: "k1", signer: HashSigner(algorithm: algorithm))
        let assertion = ClientAssertion(client: "app", key: key, audience: "https://issuer")

        let text = try assertion.text(for: "https://a.example/token", at: Date(), id: [1])

        let read = try ReadAssertion(text)
        expectEqual(read.header, ["alg": name, "typ": "JWT", "kid": "k1"])
        expectEqual(read.claims["aud"], "https://issuer")
        expectEqual(read.signature, Array(HashAlgorithm.sha512.hash(read.message.utf8)))
    }

    @Test("are made again for each attempt, of every grant")
    func attempts() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), Self.answer, Self.answer, Self.answer,
            ])
            let endpoint = TokenEndpoint(
                "https://login.example.com/token",
                client: .clientSecretJWT(id: "app", secret: Self.secret),
                pipeline: try Pipeline(transport: transport, runtime: simulation.runtime) {
                    RetryInterceptor(policy: .idempotent)
                }
            )

            _ = try await ClientCredentialsSource(at: endpoint).load()
            _ = try await RefreshTokenSource(at: endpoint).refresh(.bearer("a", refreshToken: "r"))
            _ = try await TokenExchangeSource(at: endpoint) { TokenExchangeSource.Token("t") }
                .load()

            let sent = transport.sent.map { asked($0.input) }
            let ids = try sent.map { try ReadAssertion($0["client_assertion"] ?? "").claims["jti"] }
            expectEqual(Set(ids).count, 4)
            expectEqual(
                sent.map { $0["grant_type"] },
                [
                    "client_credentials", "client_credentials", "refresh_token",
                    "urn:ietf:params:oauth:grant-type:token-exchange",
                ]
            )
        }
    }

    @Test("are not repeated in an error, though the server repeats them")
    func redacted() async throws {
        let transport = CannedEcho()
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .clientSecretJWT(id: "app", secret: Self.secret),
            pipeline: try Pipeline(transport: transport) {}
        )

        let error = await #expect(throws: OAuthError.self) {
            try await ClientCredentialsSource(at: endpoint).load()
        }

        expectEqual(error?.code, .invalidClient)
        expectEqual(error?.message.contains("eyJ"), false)
    }

    @Test("do not go where a redirect leads, and nor do the parameters")
    func redirected() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .reply(HTTP.Response(302, headers: ["Location": "https://elsewhere.example/token"])),
            Self.answer,
        ])
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .clientSecretJWT(id: "app", secret: Self.secret, audience: "https://issuer"),
            pipeline: try Pipeline(transport: transport) { RedirectInterceptor() }
        )

        _ = try await RefreshTokenSource(at: endpoint).refresh(.bearer("a", refreshToken: "r"))

        expectEqual(
            transport.sent.map { $0.input.url.host },
            ["login.example.com", "elsewhere.example"]
        )
        expectTrue(transport.sent[1].input.body.isEmpty)
    }

    @Test("name the token endpoint, although another host of it is asked")
    func otherHost() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [Self.answer])
        let endpoint = TokenEndpoint(
            "https://login.example.com/token",
            client: .clientSecretJWT(id: "app", secret: Self.secret),
            pipeline: try Pipeline(transport: transport) { OtherHost() }
        )

        _ = try await ClientCredentialsSource(at: endpoint).load()

        let text = asked(transport.sent[0].input)["client_assertion"] ?? ""
        expectEqual(transport.sent[0].input.url.host, "10.0.0.1")
        try expectEqual(ReadAssertion(text).claims["aud"], "https://login.example.com/token")
    }

    @Test("are refused to a secret that is too short, before anything is sent")
    func shortSecret() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let client = OAuthClient.clientSecretJWT(id: "app", secret: "short")
        let source = ClientCredentialsSource(at: try endpoint(transport, client: client))

        let error = await #expect(throws: SigningError.self) { try await source.load() }

        expectEqual(error?.code, .unsuitableKey)
        expectTrue(transport.sent.isEmpty)
    }

    @Test("are refused to a key whose algorithm has no name in JWS")
    func unsuitableKey() throws {
        let signer = HashSigner(algorithm: .hmacSHA256)
        let assertion = ClientAssertion(
            client: "app",
            key: SigningKey(id: "k1", signer: signer),
            audience: nil
        )

        let error = #expect(throws: SigningError.self) {
            try assertion.text(for: "https://a.example", at: Date(), id: [])
        }

        expectEqual(error?.code, .unsuitableKey)
    }

    @Test("are read back as they were written, of random text")
    func quickFuzz() async throws {
        try await besideOtherTests { try fuzz(500, seed: 3187) }
    }

    @Test(
        "are read so for as many texts as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of texts")
    )
    func longFuzz() async throws {
        let count = try unwrap(fuzzCount)
        try await besideOtherTests { try fuzz(count, seed: 4409) }
        print("fuzz client-assertions: \(count) texts")
    }
}

/// Sends each request to one host of several.
private struct OtherHost: Interceptor {
    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        var request = chain.input
        request.url = "https://10.0.0.1/token"
        return try await chain.proceed(request)
    }
}

/// Answers with what it was sent.
private struct CannedEcho: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let text = asked(input)["client_assertion"] ?? ""
        let body = #"{"error": "invalid_client", "error_description": "bad \#(text)"}"#
        return HTTP.Response(401, body: .text(body))
    }
}

private func fuzz(_ count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func text() -> String {
        let scalars = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(
                    in: 0..<(Bool.random(using: &random) ? 0x80 : 0x11_0000),
                    using: &random
                )
            )
        }
        return String(String.UnicodeScalarView(scalars))
    }
    for _ in 0..<count {
        let (client, audience) = (text(), text())
        let isSecret = Bool.random(using: &random)
        let key =
            isSecret
            ? SigningKey(id: "s", secret: [UInt8](repeating: 7, count: 32))
            : SigningKey(id: text(), signer: HashSigner())
        let assertion = ClientAssertion(client: client, key: key, audience: audience)
        let date = Date(timeIntervalSince1970: .random(in: -1e18...1e18, using: &random))
        let read = try ReadAssertion(
            assertion.text(for: "https://a.example", at: date, id: Array(text().utf8))
        )
        guard read.claims["sub"] == client, read.claims["aud"] == audience,
            isSecret || read.header["kid"] == key.id
        else { throw Unreadable(client: client, audience: audience) }
    }
}

private struct Unreadable: Error {
    let client: String
    let audience: String
}
