#if JWT
import InterceptorKit

/// The algorithms of JSON Web Signatures whose verifier needs no secret (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC
/// 9864 section 2.2).
enum SignatureAlgorithms {
    static let all: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
        "Ed25519",
    ]

    /// Throws unless there are algorithms, and all of them are of this kind: a public key is known to everyone, and so
    /// would be the secret of an HMAC with it.
    static func check(_ names: Set<String>, of owner: String) throws(SettingError) {
        try SettingCheck(of: owner).require(
            !names.isEmpty && names.isSubset(of: all),
            "algorithms",
            names.isEmpty ? "empty" : HTTP.printable(names.sorted().joined(separator: " ")),
            "some of \(all.sorted().joined(separator: ", "))",
            "Signatures by a shared secret, and tokens without one, are never accepted."
        )
    }
}
#endif
