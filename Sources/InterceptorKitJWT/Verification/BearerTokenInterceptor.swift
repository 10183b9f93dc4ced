#if JWT
public import InterceptorKit
import InterceptorKitAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Accepts only requests with a valid access token on a server, and says who calls.
///
/// ```swift
/// let bearer = BearerTokenInterceptor(
///     verifier,
///     requiring: AccessRequirement(scopes: ["orders:read"]),
///     dpop: DPoPVerification()
/// )
/// ```
///
/// Interceptors and handlers below find the caller in `Call.principal` and the token in `Call.accessToken`. The token is
/// taken from the `Authorization` field alone: one in a query or a form would be written to logs.
///
/// | request | response |
/// |---|---|
/// | without a token | 401 with a challenge that names no error |
/// | with two tokens, or something else in place of one | 400 `invalid_request` |
/// | with a token that is not valid, for whatever reason | 401 `invalid_token` |
/// | with a proof of the token's key that is not valid, for whatever reason | 401 `invalid_dpop_proof`, or `use_dpop_nonce` |
/// | with a valid token that lacks a scope | 403 `insufficient_scope` |
/// | whose user signed in too long ago, or not strongly enough | 401 `insufficient_user_authentication` (RFC 9470) |
///
/// The reason is in the event `Event.Name.tokenRefused`. If nobody can tell whether a token is valid, because the issuer
/// or a store is away, the call throws, and a server answers with 503; the token is neither accepted nor refused.
///
/// A token that is bound to a key or a certificate (`cnf`) is accepted only with the proof of it, also if these settings
/// ask for none: who stole it has no proof.
///
/// Place this interceptor below those that limit the load of all callers, and above those that limit each caller, and
/// above those that trust the request.
public struct BearerTokenInterceptor: Interceptor {
    private let verifier: any AccessTokenVerifier
    private let requirement: AccessRequirement
    private let dpop: DPoPVerification?
    private let certificate: ClientCertificate?
    private let challenges: TokenChallenges

    /// Creates an interceptor.
    /// - Parameters:
    ///   - verifier: The way to verify a token.
    ///   - requirement: What every token must have beside being valid. Defaults to nothing.
    ///   - realm: The name of the protected part in challenges; printable ASCII. Defaults to none.
    ///   - dpop: The rules for proofs of a token's key (RFC 9449). Defaults to none: tokens of the scheme `DPoP` are not
    ///     accepted.
    ///   - certificate: Where the client's certificate is found (RFC 8705). Defaults to nowhere: tokens that are bound to
    ///     one are not accepted.
    public init(
        _ verifier: some AccessTokenVerifier,
        requiring requirement: AccessRequirement = AccessRequirement(),
        realm: String? = nil,
        dpop: DPoPVerification? = nil,
        certificate: ClientCertificate? = nil
    ) {
        self.verifier = verifier
        self.requirement = requirement
        self.dpop = dpop
        self.certificate = certificate
        let schemes: [TokenScheme] =
            switch dpop {
            case nil: [.bearer]
            case let dpop? where dpop.isRequired: [.dpop]
            default: [.bearer, .dpop]
            }
        challenges = TokenChallenges(
            realm: realm,
            scopes: requirement.scopes.sorted(),
            schemes: schemes,
            proofAlgorithms: dpop?.algorithms.sorted() ?? []
        )
    }

    public func validate() throws {
        try verifier.validate()
        try requirement.validate("BearerTokenInterceptor")
        try dpop?.validate()
        let realm = challenges.realm ?? ""
        try SettingCheck(of: "BearerTokenInterceptor").require(
            realm.utf8.allSatisfy { 0x20...0x7E ~= $0 },
            "realm",
            HTTP.printable(realm),
            "printable ASCII"
        )
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let request = chain.input
        let scheme = request.headers.values("Authorization").first.flatMap(PresentedToken.scheme)
        let admission: TokenAdmission
        do {
            admission = try await admit(request, chain.call)
        } catch let refusal as AccessTokenError {
            chain.call.emit(refusal)
            var response = challenges.response(to: refusal, by: scheme, requirement)
            if refusal.code == .proofNonce {
                response.headers["DPoP-Nonce"] = dpop?.nonces?.fresh(on: chain.call.runtime)
            }
            return response
        }
        var call = chain.call
        call.principal = admission.token.principal
        call[TokenAdmission.self] = admission
        var response = try await chain.proceed(request, call: call)
        if let nonce = admission.nextNonce { response.headers["DPoP-Nonce"] = nonce }
        return response
    }

    private nonisolated(nonsending) func admit(
        _ request: HTTP.Request,
        _ call: Call
    ) async throws -> TokenAdmission {
        let presented = try PresentedToken(of: request)
        guard challenges.schemes.contains(presented.scheme) else {
            throw AccessTokenError(
                .missing,
                "The scheme \(presented.scheme.rawValue) is not accepted here."
            )
        }
        var proof: DPoPVerification.Proof?
        if let dpop, presented.scheme == .dpop {
            proof = try await dpop.verify(request, presented.token, on: call)
        }
        let token = try await verifier.verify(presented.token, on: call)
        try checkBinding(of: token, to: proof, request, call)
        // Last, so that only those with a token fill the store.
        if let proof { try await dpop?.note(proof, on: call) }
        try requirement.check(token, at: call.runtime.date)
        return TokenAdmission(
            token: token,
            scheme: presented.scheme,
            challenges: challenges,
            nextNonce: proof?.nextNonce
        )
    }

    private func checkBinding(
        of token: AccessToken,
        to proof: DPoPVerification.Proof?,
        _ request: HTTP.Request,
        _ call: Call
    ) throws(AccessTokenError) {
        // Also a token of the scheme Bearer, which would otherwise be accepted without its proof (RFC 9449 section 7.2).
        guard token.keyThumbprint == proof?.thumbprint else {
            let reason =
                switch (token.keyThumbprint, proof) {
                case (nil, _): "is not bound to a key, and has a proof of one"
                case (_, nil): "is bound to a key, and was sent as Bearer without a proof of it"
                default: "is bound to another key than that of its proof"
                }
            throw AccessTokenError(.binding, "The token \(reason).")
        }
        guard let thumbprint = token.certificateThumbprint else { return }
        guard let der = certificate?.der(request, call) else {
            throw AccessTokenError(
                .binding,
                "The token is bound to a certificate, and the connection's is not known here."
            )
        }
        guard Base64URL.encode(HashAlgorithm.sha256.hash(der)) == thumbprint else {
            throw AccessTokenError(.binding, "The token is bound to another certificate.")
        }
    }
}

/// A verified token, with the answers for what it does not suffice for.
struct TokenAdmission: Sendable {
    let token: AccessToken
    let scheme: TokenScheme
    let challenges: TokenChallenges
    /// The nonce for the caller's next proof, if that of this one is soon old.
    let nextNonce: String?
}

extension TokenAdmission: CallKey {
    static let defaultValue: TokenAdmission? = nil
}

extension Call {
    /// The token of who calls, as a ``BearerTokenInterceptor`` has verified it; `nil` before.
    public var accessToken: AccessToken? { self[TokenAdmission.self]?.token }

    func emit(_ refusal: AccessTokenError) {
        emit(
            .tokenRefused,
            [
                "reason": .text(refusal.code.description),
                "error.message": .text(refusal.message),
            ]
        )
    }
}

extension Event.Name {
    /// The server did not accept an access token, or the proof beside it. The attributes are for the server's own logs:
    /// `reason` is the code of an ``AccessTokenError``, and `error.message` its message, which quotes what the caller
    /// claims.
    public static let tokenRefused: Self = "token.refused"
}
#endif
