#if JWT
import InterceptorKit

/// How a service responds to those that it refuses (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9470 section 3).
struct TokenChallenges: Sendable {
    var realm: String?
    /// What a caller needs anyway.
    var scopes: [String] = []
    /// The schemes that are accepted, the first of which a caller may try first.
    var schemes = [TokenScheme.bearer]
    /// The algorithms for proofs.
    var proofAlgorithms: [String] = []

    /// Returns the response to a refusal: the same for every reason that would help an attacker.
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - scheme: The scheme that the caller used; `nil` if it used none of these.
    ///   - requirement: What the service requires beyond a valid token.
    func response(
        to refusal: AccessTokenError,
        by scheme: TokenScheme?,
        _ requirement: AccessRequirement
    ) -> HTTP.Response {
        var own: [(String, String)] = []
        var status: HTTP.Status = 401
        var scopes = scopes
        switch refusal.code {
        case .missing: break
        case .invalidRequest:
            status = 400
            own = [error(.invalidRequest)]
        case .insufficientScope:
            status = 403
            own = [error(.insufficientScope)]
            scopes = requirement.scopes.union(scopes).sorted()
        case .insufficientAuthentication:
            own = [error(.insufficientUserAuthentication)] + requirement.authenticationParameters
            scopes = requirement.scopes.union(scopes).sorted()
        case .proofNonce: own = [error(.useDPoPNonce)]
        case .proofMissing, .proofMalformed, .proofAlgorithm, .proofKey, .proofMismatch,
            .proofTarget, .proofTime, .proofToken, .proofReplayed:
            own = [error(.invalidDPoPProof)]
        default: own = [error(.invalidToken)]
        }
        // The error belongs to the scheme that was used, and the others say what else there is.
        let failed = scheme.flatMap { schemes.contains($0) ? $0 : nil } ?? schemes.first
        var headers = HTTP.Headers()
        for scheme in schemes {
            var parameters: [(String, String)] = []
            if let realm { parameters.append(("realm", realm)) }
            if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
            if scheme == failed { parameters += own }
            if scheme == .dpop {
                parameters.append(("algs", proofAlgorithms.joined(separator: " ")))
            }
            headers.append(name: "WWW-Authenticate", value: Self.text(scheme, parameters))
        }
        return HTTP.Response(status, headers: headers)
    }

    private func error(_ error: HTTP.Challenge.BearerError) -> (String, String) {
        ("error", error.description)
    }

    private static func text(_ scheme: TokenScheme, _ parameters: [(String, String)]) -> String {
        let list = parameters.map { "\($0)=\(HTTP.FieldSyntax.quoted($1))" }
        return ([scheme.rawValue] + [list.joined(separator: ", ")]).filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
#endif
