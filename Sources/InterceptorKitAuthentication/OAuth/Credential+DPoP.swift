public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Credential {
    /// Returns an access token bound to a key, whose proofs a ``DPoPInterceptor`` sends (RFC 9449 section 7.1).
    /// - Parameters:
    ///   - token: The token.
    ///   - expiresAt: The date of expiry. Defaults to unknown.
    ///   - refreshToken: The refresh token. Defaults to none.
    public static func dpop(
        _ token: String,
        expiresAt: Date? = nil,
        refreshToken: String? = nil
    ) -> Credential {
        .fields(
            "dpop",
            [("Authorization", "DPoP \(token)")],
            expiresAt: expiresAt,
            refreshToken: refreshToken
        )
    }
}
