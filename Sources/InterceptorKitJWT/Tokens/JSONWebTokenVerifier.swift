#if JWT
public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Verifies access tokens that are JSON Web Tokens of one issuer (RFC 9068), by the rules of RFC 8725.
///
/// ```swift
/// let verifier = JSONWebTokenVerifier(
///     issuer: "https://login.example.com",
///     audience: ["https://api.example.com"],
///     keys: keys
/// )
/// ```
///
/// The settings say which algorithms, types, issuer and audience are accepted, and the token has no say in it: keys and
/// addresses in its header are never used. A token of more than 16 KiB is refused unread. No token is kept: each is
/// verified anew, so that none stays accepted after its key was withdrawn.
///
/// By default, a token has all that RFC 9068 requires. Many issuers are older: they write the type `JWT` or none, name
/// the client `azp` or `cid`, and write scopes as `scp`. Say so by `types`, `requiring` and `scopes`. The type `JWT` is
/// also that of ID tokens, which are then told apart by their audience alone: never accept your own client's id as one.
public struct JSONWebTokenVerifier: AccessTokenVerifier {
    private let issuer: String
    private let audience: Audience
    private let keys: JSONWebKeySet
    private let algorithms: Set<String>
    private let types: Set<String>
    private let required: Set<String>
    private let scopeClaims: [String]
    private let leeway: Duration

    /// Creates a verifier.
    /// - Parameters:
    ///   - issuer: The issuer's id exactly as in its tokens (`iss`), byte for byte.
    ///   - audience: The names of this service, one of which a token must be for (`aud`). `nil` accepts tokens for any
    ///     service, as those of Amazon Cognito, which name none.
    ///   - keys: The issuer's keys.
    ///   - algorithms: The accepted algorithms. Defaults to all whose keys are public: `RS256` to `RS512`, `PS256` to
    ///     `PS512`, `ES256` to `ES512`, `EdDSA` and `Ed25519`. Each key can be used only with those of its kind.
    ///   - types: The accepted types (`typ`), without `application/` and in lower case; the empty text is for tokens
    ///     without a type. Defaults to `at+jwt` (RFC 9068 section 2.1).
    ///   - required: The claims that a token must have beside `iss`, `sub` and `exp`. Defaults to `client_id`, `iat` and
    ///     `jti` (RFC 9068 section 2.2).
    ///   - scopes: The claims that have scopes, as a text with spaces or a list. Defaults to `scope` (RFC 9068 section
    ///     2.2.3).
    ///   - leeway: The difference between clocks that is forgiven, at the beginning and at the end of a token's time.
    ///     Defaults to 60 s, as in Nimbus and Spring Security.
    public init(
        issuer: String,
        audience: Set<String>?,
        keys: JSONWebKeySet,
        algorithms: Set<String>? = nil,
        types: Set<String> = ["at+jwt"],
        requiring required: Set<String> = ["client_id", "iat", "jti"],
        scopes: [String] = ["scope"],
        leeway: Duration = .seconds(60)
    ) {
        self.issuer = issuer
        self.audience = Audience(names: audience)
        self.keys = keys
        self.algorithms = algorithms ?? SignatureAlgorithms.all
        self.types = Set(types.map { $0.lowercased() })
        self.required = required
        scopeClaims = scopes
        self.leeway = leeway
    }

    public func validate() throws {
        let check = SettingCheck(of: "JSONWebTokenVerifier")
        try check.require(
            !issuer.isEmpty,
            "issuer",
            "empty",
            "the id that the issuer's tokens have"
        )
        try audience.validate(check)
        try check.require(!types.isEmpty, "types", "empty", "the types of access tokens")
        try check.within(.zero ... .seconds(600), "leeway", leeway)
        try SignatureAlgorithms.check(algorithms, of: "JSONWebTokenVerifier")
    }

    public nonisolated(nonsending) func verify(
        _ token: String,
        on call: Call
    ) async throws -> AccessToken {
        let signature = try CompactSignature(token)
        let claims = signature.claims
        // What is not signed by this issuer's rules leads to no look at its keys, which may have to be fetched.
        try checkKind(of: signature)
        try await checkSignature(signature, on: call)
        try audience.check(claims)
        try checkTime(of: claims, at: call.runtime.date)
        for name in required.sorted() where !claims.has(name) {
            throw AccessTokenError.missingClaim(name)
        }
        return try AccessToken(
            claims,
            issuer: issuer,
            scopes: scopeClaims,
            json: signature.payload
        )
    }

    private func checkKind(of signature: CompactSignature) throws(AccessTokenError) {
        guard algorithms.contains(signature.algorithm) else {
            throw AccessTokenError(
                .algorithm,
                "The token's algorithm \(HTTP.printable(signature.algorithm)) is not accepted."
            )
        }
        guard signature.isType(in: types) else {
            let type = signature.type.map(HTTP.printable) ?? "missing"
            let accepted = types.sorted().map { $0.isEmpty ? "none" : $0 }.joined(separator: ", ")
            throw AccessTokenError(
                .type,
                "The token's type is \(type), and accepted are: \(accepted). If the issuer writes this type "
                    + "into its access tokens, add it to the verifier's types."
            )
        }
        guard let issuer = try signature.claims.text("iss") else {
            throw AccessTokenError.missingClaim("iss")
        }
        guard issuer.utf8.elementsEqual(self.issuer.utf8) else {
            throw AccessTokenError(
                .issuer,
                "The token is of the issuer \(HTTP.printable(issuer)), and of no other than "
                    + "\(HTTP.printable(self.issuer)) are any accepted."
            )
        }
    }

    private nonisolated(nonsending) func checkSignature(
        _ signature: CompactSignature,
        on call: Call
    ) async throws {
        let candidates = try await keys.keys(
            for: signature.keyID,
            algorithm: signature.algorithm,
            on: call
        )
        if candidates.contains(where: signature.isMade) { return }
        if signature.keyID == nil, !candidates.isEmpty {
            // An issuer with one key need not name it (OpenID Connect Core section 10.1), and may have replaced it.
            let newer = try await keys.keys(
                for: nil,
                algorithm: signature.algorithm,
                isRejecting: true,
                on: call
            )
            if newer.contains(where: signature.isMade) { return }
        }
        let key = signature.keyID.map { "with the id \(HTTP.printable($0))" } ?? "without an id"
        guard candidates.isEmpty else {
            throw AccessTokenError(
                .mismatch,
                "The signature does not match the token and the issuer's key \(key)."
            )
        }
        throw AccessTokenError(
            .unknownKey,
            "The issuer has no key \(key) for \(HTTP.printable(signature.algorithm))."
        )
    }

    private func checkTime(of claims: Claims, at date: Date) throws(AccessTokenError) {
        let leeway = leeway.inSeconds
        guard let expiry = try claims.time("exp") else {
            throw AccessTokenError.missingClaim("exp")
        }
        // The end itself is late (RFC 7519 section 4.1.4).
        guard date.timeIntervalSince(expiry) < leeway else {
            throw AccessTokenError(.expired, "The token has expired.")
        }
        for name in ["nbf", "iat"] {
            guard let start = try claims.time(name) else { continue }
            guard start.timeIntervalSince(date) <= leeway else {
                throw AccessTokenError(
                    .notYetValid,
                    "The token's \(name) is in the future. Compare the clocks of the issuer and this service."
                )
            }
        }
    }
}
#endif
