public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Credential {
    /// An access token bound to a key (RFC 9449 section 7.1); a ``DPoPInterceptor`` proves the key.
    /// - Parameters:
    ///   - token: The token.
    ///   - expiresAt: When it stops being accepted. Defaults to unknown.
    ///   - refreshToken: What a source needs to get the next one. Defaults to none.
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
