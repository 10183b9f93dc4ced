import Foundation
import InterceptorKit
import InterceptorKitLoopback
import JWTKit

/// A small authorization server: its metadata, its keys, and tokens for one client.
actor Issuer {
    static let secret = "known-to-the-notebook"

    private struct Claims: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let client_id: String
        let scope: String
        let iat: Int
        let exp: Int
        let jti: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let keys = JWTKeyCollection()
    private var published: [[String: String]] = []
    private var origin = ""
    /// How often the keys were fetched.
    private(set) var fetches = 0

    /// Signs with a new key from now on. The old ones stay published, for the tokens that they have signed.
    func rotate() async {
        let id = "key-\(published.count + 1)"
        let key = ES256PrivateKey()
        await keys.add(ecdsa: key, kid: JWKIdentifier(string: id))
        guard let numbers = key.publicKey.parameters else { return }
        published.append([
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": id,
            "x": Self.urlSafe(numbers.x), "y": Self.urlSafe(numbers.y),
        ])
    }

    func listen(at origin: HTTP.Origin) { self.origin = "\(origin)" }

    /// Returns a token, signed with the newest key.
    func token(
        for client: String,
        scope: String = "notes:read",
        audience: String = "https://notes.example.com",
        lifetime: Int = 600
    ) async throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let claims = Claims(
            iss: origin,
            sub: client,
            aud: audience,
            client_id: client,
            scope: scope,
            iat: now,
            exp: now + lifetime,
            jti: UUID().uuidString
        )
        return try await keys.sign(
            claims,
            kid: JWKIdentifier(string: "key-\(published.count)"),
            header: ["typ": "at+jwt"]
        )
    }

    func answer(_ request: LoopbackServer.Request) async -> LoopbackServer.Reply {
        switch request.path {
        case "/.well-known/openid-configuration":
            return .json(["issuer": origin, "jwks_uri": origin + "/keys"])
        case "/keys":
            fetches += 1
            return .json(["keys": published])
        case "/token":
            let client = "notebook"
            let known = Data("\(client):\(Self.secret)".utf8).base64EncodedString()
            guard request.headers["Authorization"] == "Basic \(known)",
                let token = try? await token(for: client)
            else { return .json(["error": "invalid_client"], status: 401) }
            return .json(["access_token": token, "token_type": "Bearer"])
        default:
            return .status(404)
        }
    }

    private static func urlSafe(_ base64: String) -> String {
        base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
