#if JWT
import InterceptorKitAuthentication

/// What a token is bound to (`cnf`, RFC 7800 section 3.1).
struct Confirmation {
    /// The thumbprint of a key (`jkt`, RFC 9449 section 6.1).
    let key: String?
    /// The thumbprint of a certificate (`x5t#S256`, RFC 8705 section 3.1).
    let certificate: String?

    /// Reads the claim `cnf`.
    /// - Throws: `binding` for a way that is not known, since the token would otherwise be accepted from a thief.
    init(of claims: Claims) throws(AccessTokenError) {
        guard let members = try claims.object("cnf") else {
            key = nil
            certificate = nil
            return
        }
        guard !members.isEmpty, members.keys.allSatisfy({ $0 == "jkt" || $0 == "x5t#S256" }) else {
            throw AccessTokenError(
                .binding,
                "The token is bound in a way that is not known here; jkt and x5t#S256 are."
            )
        }
        let texts = Claims(members)
        key = try Self.thumbprint("jkt", texts)
        certificate = try Self.thumbprint("x5t#S256", texts)
    }

    private static func thumbprint(
        _ name: String,
        _ claims: Claims
    ) throws(AccessTokenError) -> String? {
        guard let text = try claims.text(name) else { return nil }
        guard Base64URL.decode(text.utf8)?.count == 32 else {
            throw AccessTokenError(.malformed, "The token's \(name) is not a SHA-256 thumbprint.")
        }
        return text
    }
}
#endif
