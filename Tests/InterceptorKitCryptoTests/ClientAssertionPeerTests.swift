#if Crypto
import Expectations
import BoundedWaits
import ConformanceVectors
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitCrypto
import InterceptorKitCurl
import TestRun
import Testing

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_ASSERTIONS"]

@Suite(
    "Client assertions at a real authorization server",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10)),
    .enabled(
        if: generated != nil,
        "no server: run Tests/Comparisons/identities, which needs authlib of PyPI"
    )
)
struct ClientAssertionPeerTests {
    private struct Server: Decodable {
        struct Client: Decodable {
            let id: String
            let algorithm: String
            let `private`: String
        }

        let url: String
        let clients: [Client]
    }

    @Test("get a token of every algorithm, and none if they are not right")
    func peers() async throws {
        let path = try unwrap(generated)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let server = try JSONDecoder().decode(Server.self, from: data)
        var result = Conformance("client-assertions")

        for client in server.clients {
            let token = try await Self.outcome(server, client, client.private)
            result.note(token == "token", "\(client.algorithm): \(token)")
            let again = try await Self.outcome(server, client, client.private)
            result.note(again == "token", "\(client.algorithm) again: \(again)")
            let elsewhere = try await Self.outcome(
                server,
                client,
                client.private,
                audience: "https://elsewhere.example"
            )
            result.note(
                elsewhere == "invalid_client",
                "\(client.algorithm) elsewhere: \(elsewhere)"
            )
            let late = try await Self.outcome(server, client, client.private, late: 3600)
            result.note(late == "invalid_client", "\(client.algorithm) expired: \(late)")
            let other = server.clients.first { $0.id != client.id && $0.algorithm == "HS256" }
            let foreign = try await Self.outcome(
                server,
                client,
                client.algorithm == "HS256" ? "another secret of thirty-two bytes" : other?.private,
                isSecret: true
            )
            result.note(foreign == "invalid_client", "\(client.algorithm) foreign key: \(foreign)")
        }

        expectEqual(result.failures, [])
        print(result.summary)
    }

    /// What the server makes of a client.
    private static func outcome(
        _ server: Server,
        _ client: Server.Client,
        _ key: String?,
        audience: String? = nil,
        late: Double = 0,
        isSecret: Bool = false
    ) async throws -> String {
        let key = try unwrap(key)
        let oauth: OAuthClient
        if isSecret || client.algorithm == "HS256" {
            oauth = .clientSecretJWT(id: client.id, secret: key, audience: audience)
        } else {
            oauth = .privateKeyJWT(
                id: client.id,
                key: try signingKey(client.algorithm, key),
                audience: audience
            )
        }
        let endpoint = TokenEndpoint(
            HTTP.URL(unvalidated: server.url),
            client: oauth,
            pipeline: try Pipeline(transport: try CurlTransport(), runtime: runtime(late)) {}
        )
        do {
            let credential = try await ClientCredentialsSource(at: endpoint).load()
            return credential == nil ? "none" : "token"
        } catch let error as OAuthError {
            return error.code.description
        }
    }

    private static func signingKey(_ algorithm: String, _ pem: String) throws -> SigningKey {
        switch algorithm {
        case "ES256": SigningKey(id: "k", p256: try P256.Signing.PrivateKey(pemRepresentation: pem))
        case "ES384": SigningKey(id: "k", p384: try P384.Signing.PrivateKey(pemRepresentation: pem))
        case "RS256": try SigningKey(id: "k", rsa: pem, padding: .pkcs1)
        case "PS512": try SigningKey(id: "k", rsa: pem)
        default: SigningKey(id: "k", ed25519: try ed25519(pem))
        }
    }

    /// The 32 bytes at the end of a private key in PKCS #8 (RFC 8410 section 7).
    private static func ed25519(_ pem: String) throws -> Curve25519.Signing.PrivateKey {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try unwrap(Data(base64Encoded: lines))
        return try Curve25519.Signing.PrivateKey(rawRepresentation: der.suffix(32))
    }

    /// The live runtime with a date in the past.
    private static func runtime(_ late: Double) -> Runtime {
        .live(date: { Runtime.live.date.addingTimeInterval(-late) })
    }
}
#endif
