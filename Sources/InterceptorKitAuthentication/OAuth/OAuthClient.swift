public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The client of a token endpoint, and its authentication (RFC 6749 section 2.3). It never shows its secret.
public struct OAuthClient: Sendable {
    private enum Proof {
        case basic(String)
        case body(String)
        case assertion(ClientAssertion)
        case none
    }

    /// The client id by which the server knows the application.
    public let id: String
    private let proof: Proof

    /// Returns a client with HTTP Basic authentication, with id and secret encoded as in RFC 6749 section 2.3.1. Every
    /// server must support this.
    public static func basic(id: String, secret: String) -> OAuthClient {
        OAuthClient(id: id, proof: .basic(secret))
    }

    /// Returns a client that sends its secret as a parameter (`client_secret_post`), for servers that need it.
    public static func post(id: String, secret: String) -> OAuthClient {
        OAuthClient(id: id, proof: .body(secret))
    }

    /// Returns a client that authenticates with a private key (`private_key_jwt`, RFC 7523) and sends no secret.
    ///
    /// Each attempt has a new assertion, valid for 60 s. `InterceptorKitCrypto` has keys for RSA, ECDSA and Ed25519.
    /// - Parameters:
    ///   - id: The client id.
    ///   - key: The private key, with the id by which the server knows the public key (`kid`).
    ///   - audience: The intended recipient of the assertion, such as the server's issuer. Defaults to the URL of the
    ///     token endpoint.
    public static func privateKeyJWT(
        id: String,
        key: SigningKey,
        audience: String? = nil
    ) -> OAuthClient {
        let assertion = ClientAssertion(client: id, key: key, audience: audience)
        return OAuthClient(id: id, proof: .assertion(assertion))
    }

    /// Returns a client that authenticates with an HMAC-SHA256 by its secret (`client_secret_jwt`, RFC 7523) and never
    /// sends the secret.
    /// - Parameters:
    ///   - id: The client id.
    ///   - secret: The secret, at least 32 bytes in UTF-8 (RFC 7518 section 3.2). With a shorter one, requests throw a
    ///     `SigningError`.
    ///   - audience: The intended recipient of the assertion, such as the server's issuer. Defaults to the URL of the
    ///     token endpoint.
    public static func clientSecretJWT(
        id: String,
        secret: String,
        audience: String? = nil
    ) -> OAuthClient {
        let key = SigningKey(id: id, secret: secret.utf8)
        let assertion = ClientAssertion(client: id, key: key, audience: audience)
        return OAuthClient(id: id, proof: .assertion(assertion))
    }

    /// Returns a client without a secret, such as a mobile app (RFC 6749 section 2.1).
    public static func `public`(id: String) -> OAuthClient { OAuthClient(id: id, proof: .none) }

    var secret: String? {
        switch proof {
        case .basic(let secret), .body(let secret): secret
        case .assertion, .none: nil
        }
    }

    var assertion: ClientAssertion? {
        if case .assertion(let assertion) = proof { assertion } else { nil }
    }

    func identify(
        in headers: inout HTTP.Headers,
        _ parameters: inout [(name: String, value: String)]
    ) {
        switch proof {
        case .basic(let secret):
            let pair = "\(PercentEncoding.encode(id)):\(PercentEncoding.encode(secret))"
            headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case .body(let secret):
            parameters += [("client_id", id), ("client_secret", secret)]
        case .assertion:
            // Added for each attempt by `ClientAssertionInterceptor`.
            break
        case .none:
            parameters.append(("client_id", id))
        }
    }
}

extension OAuthClient: CustomStringConvertible {
    /// The id, never the secret.
    public var description: String { "OAuthClient(\(id))" }
}

extension OAuthClient: CustomReflectable {
    /// The id only, so that `dump` and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
