#if JWT
import InterceptorKit

/// The names of this service, one of which a token must be for (`aud`, RFC 7519 section 4.1.3).
struct Audience {
    /// `nil` accepts tokens for any service.
    let names: Set<String>?

    func validate(_ check: SettingCheck) throws(SettingError) {
        guard let names else { return }
        try check.require(
            !names.isEmpty && !names.contains(""),
            "audience",
            names.isEmpty ? "empty" : "a list with an empty name",
            "the names of this service",
            "nil accepts tokens for any service."
        )
    }

    /// Throws unless a token is for this service.
    func check(_ claims: Claims) throws(AccessTokenError) {
        let named = try claims.texts("aud")
        guard let names else { return }
        guard let named else { throw AccessTokenError.missingClaim("aud") }
        let isMeant = named.contains { name in
            names.contains { $0.utf8.elementsEqual(name.utf8) }
        }
        guard isMeant else {
            throw AccessTokenError(
                .audience,
                "The token is for \(HTTP.printable(named.prefix(8).joined(separator: " "))), and not for "
                    + "this service."
            )
        }
    }
}
#endif
