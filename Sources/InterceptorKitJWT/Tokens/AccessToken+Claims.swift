#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AccessToken {
    /// Reads what a token says of its caller (RFC 9068 section 2.2, RFC 7662 section 2.2).
    /// - Parameters:
    ///   - claims: The claims, of a token that is valid.
    ///   - issuer: Who vouches for them.
    ///   - scopes: The claims that have scopes.
    ///   - json: The claims as JSON.
    /// - Throws: An ``AccessTokenError`` if a claim is of another type, or the caller is not named.
    init(
        _ claims: Claims,
        issuer: String,
        scopes: [String],
        json: Data
    ) throws(AccessTokenError) {
        guard let subject = try claims.text("sub"), !subject.isEmpty else {
            throw AccessTokenError.missingClaim("sub")
        }
        var granted: Set<String> = []
        for name in scopes {
            for text in try claims.texts(name) ?? [] {
                granted.formUnion(text.split(at: " ").map(String.init).filter(\.isScope))
            }
        }
        var client: String?
        // RFC 9068, OpenID Connect Core section 2, Okta, and Microsoft Entra's first version.
        for name in ["client_id", "azp", "cid", "appid"] where client == nil {
            client = try claims.text(name)
        }
        let confirmation = try Confirmation(of: claims)
        self.init(
            principal: Principal(
                subject,
                issuer: issuer,
                clientID: client,
                scopes: granted,
                expiry: try claims.time("exp")
            ),
            id: try claims.text("jti"),
            authenticationTime: try claims.time("auth_time"),
            authenticationContext: try claims.text("acr"),
            keyThumbprint: confirmation.key,
            certificateThumbprint: confirmation.certificate,
            json: json
        )
    }
}

extension String {
    /// Whether this can be one scope (RFC 6749 section 3.3).
    var isScope: Bool {
        !isEmpty
            && utf8.allSatisfy {
                0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }
}
#endif
