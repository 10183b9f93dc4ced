import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The application that asks a token endpoint, and its authentication (RFC 6749 section 2.3). It never shows
/// its secret.
public struct OAuthClient: Sendable {
    private enum Proof {
        case basic(String)
        case body(String)
        case none
    }

    /// The id by which the server knows the application.
    public let id: String
    private let proof: Proof

    /// Returns a client with HTTP Basic authentication, id and secret encoded as in RFC 6749 section 2.3.1.
    /// Every server must support this.
    public static func basic(id: String, secret: String) -> OAuthClient {
        OAuthClient(id: id, proof: .basic(secret))
    }

    /// Returns a client that sends its secret among the parameters (`client_secret_post`), for servers that
    /// support nothing else.
    public static func post(id: String, secret: String) -> OAuthClient {
        OAuthClient(id: id, proof: .body(secret))
    }

    /// Returns a client without a secret, such as an app on a phone (RFC 6749 section 2.1).
    public static func `public`(id: String) -> OAuthClient { OAuthClient(id: id, proof: .none) }

    var secret: String? {
        switch proof {
        case .basic(let secret), .body(let secret): secret
        case .none: nil
        }
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
