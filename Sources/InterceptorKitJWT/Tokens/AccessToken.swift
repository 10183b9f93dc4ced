#if JWT
public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a verified access token says (RFC 9068 section 2.2, RFC 7662 section 2.2).
public struct AccessToken: Sendable {
    /// Who calls.
    public let principal: Principal
    /// The token's own id (`jti`); `nil` if it has none.
    public let id: String?
    /// When the user signed in (`auth_time`); `nil` if the issuer does not say.
    public let authenticationTime: Date?
    /// How the user signed in (`acr`); `nil` if the issuer does not say.
    public let authenticationContext: String?
    /// The SHA-256 thumbprint of the key that a DPoP proof must be made with (`cnf.jkt`, RFC 9449 section 6.1); `nil`
    /// for a token that is not bound to a key.
    public let keyThumbprint: String?
    /// The SHA-256 of the client's certificate (`cnf.x5t#S256`, RFC 8705 section 3.1); `nil` for a token that is not
    /// bound to one.
    public let certificateThumbprint: String?
    /// All claims, as JSON.
    private let json: Data

    /// Creates a token, for a verifier of your own and for tests.
    /// - Parameters:
    ///   - principal: Who calls.
    ///   - id: The token's own id. Defaults to none.
    ///   - authenticationTime: When the user signed in. Defaults to unknown.
    ///   - authenticationContext: How the user signed in. Defaults to unknown.
    ///   - keyThumbprint: The thumbprint of the key that the token is bound to. Defaults to none.
    ///   - certificateThumbprint: The SHA-256 of the certificate that the token is bound to, in base64url without
    ///     padding. Defaults to none.
    ///   - json: All claims as a JSON object. Defaults to none.
    public init(
        principal: Principal,
        id: String? = nil,
        authenticationTime: Date? = nil,
        authenticationContext: String? = nil,
        keyThumbprint: String? = nil,
        certificateThumbprint: String? = nil,
        json: Data = Data("{}".utf8)
    ) {
        self.principal = principal
        self.id = id
        self.authenticationTime = authenticationTime
        self.authenticationContext = authenticationContext
        self.keyThumbprint = keyThumbprint
        self.certificateThumbprint = certificateThumbprint
        self.json = json
    }

    /// Returns the claims as a type of yours.
    /// - Throws: A `DecodingError` if they are not of that type.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws -> Claims {
        try JSONDecoder().decode(type, from: json)
    }
}
#endif
