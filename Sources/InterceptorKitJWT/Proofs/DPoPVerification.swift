#if JWT
import InterceptorKit
import InterceptorKitAuthentication
public import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules for proofs that a caller has the key of its token (RFC 9449), for a ``BearerTokenInterceptor``.
///
/// A proof is for one request: its method and its URL without the query, as callers see it. The server has to know the
/// origin that callers use; `ChainMiddleware` takes it. Give it also without a proxy: otherwise it is what the request
/// says (`Host`), and another service could use here a proof that it got, if it also got a token for both.
public struct DPoPVerification: Sendable {
    /// What a verified proof says.
    struct Proof {
        let thumbprint: String
        /// The hash of the proof's id, which may be any text.
        fileprivate let id: String
        /// The last time at which the proof is accepted.
        fileprivate let end: Date
        /// The nonce for the next proof, if this one's is soon old.
        let nextNonce: String?
    }

    let algorithms: Set<String>
    let nonces: DPoPNonces?
    let isRequired: Bool
    private let replays: any NonceStore
    private let tolerance: Duration

    /// Creates rules.
    /// - Parameters:
    ///   - replays: The store of used proofs. Defaults to one in memory, for a server of one process.
    ///   - algorithms: The accepted algorithms. Defaults to all whose keys are public, as for a
    ///     ``JSONWebTokenVerifier``.
    ///   - tolerance: The largest difference between a proof's time and the current time. Defaults to 60 s, as in Spring
    ///     Security.
    ///   - nonces: The nonces that a proof must have. Defaults to none.
    ///   - isRequired: Whether tokens of the scheme `Bearer` are refused. Defaults to `false`: those that are not bound to
    ///     a key are accepted.
    public init(
        replays: any NonceStore = NonceCache(),
        algorithms: Set<String>? = nil,
        tolerance: Duration = .seconds(60),
        nonces: DPoPNonces? = nil,
        isRequired: Bool = false
    ) {
        self.replays = replays
        self.algorithms = algorithms ?? SignatureAlgorithms.all
        self.tolerance = tolerance
        self.nonces = nonces
        self.isRequired = isRequired
    }

    func validate() throws(SettingError) {
        try SignatureAlgorithms.check(algorithms, of: "DPoPVerification")
        let check = SettingCheck(of: "DPoPVerification")
        try check.within(.seconds(1) ... .seconds(3600), "tolerance", tolerance)
        try nonces?.validate()
    }

    /// Verifies the proof of a request (RFC 9449 section 4.3).
    nonisolated(nonsending) func verify(
        _ request: HTTP.Request,
        _ token: String,
        on call: Call
    ) async throws(AccessTokenError) -> Proof {
        let fields = request.headers.values("DPoP")
        guard let field = fields.first else {
            throw AccessTokenError(.proofMissing, "The request has no proof of its token's key.")
        }
        guard fields.count == 1 else {
            throw AccessTokenError(.proofMalformed, "The request has \(fields.count) proofs.")
        }
        let signature = try CompactSignature(field, "proof", malformed: .proofMalformed)
        guard signature.isType(in: ["dpop+jwt"]) else {
            throw AccessTokenError(.proofMalformed, "The proof's type is not dpop+jwt.")
        }
        guard algorithms.contains(signature.algorithm) else {
            throw AccessTokenError(
                .proofAlgorithm,
                "The proof's algorithm \(HTTP.printable(signature.algorithm)) is not accepted."
            )
        }
        // The signature last, because it takes the longest.
        let id = try self.id(of: signature.claims)
        try checkTarget(of: signature.claims, request)
        let end = try end(of: signature.claims, at: call.runtime.date)
        try checkToken(of: signature.claims, token)
        let isAging = try isNonceAging(of: signature.claims, call.runtime)
        let key = try await ProofKey(signature.header["jwk"], for: signature.algorithm)
        guard signature.isMade(by: key.verification) else {
            throw AccessTokenError(.proofMismatch, "The proof was not made with its key.")
        }
        return Proof(
            thumbprint: key.thumbprint,
            id: id,
            end: end,
            nextNonce: isAging ? nonces?.fresh(on: call.runtime) : nil
        )
    }

    /// Records a proof, for a token that is valid.
    /// - Throws: `proofReplayed` if it was used before, and `proofTime` if its time has ended meanwhile; an error of the
    ///   store if that cannot tell.
    nonisolated(nonsending) func note(_ proof: Proof, on call: Call) async throws {
        let date = call.runtime.date
        // The store may have forgotten it by now.
        guard date <= proof.end else { throw Self.wrongTime }
        let result = try await replays.note(
            proof.id,
            of: proof.thumbprint,
            until: date.addingTimeInterval(2 * tolerance.inSeconds),
            at: date
        )
        switch result {
        case .fresh: return
        case .replayed: throw AccessTokenError(.proofReplayed, "The proof was used before.")
        case .full:
            throw StoreError(
                .full,
                "The store of used proofs has no room, so that nobody can tell whether a proof is new. Give it "
                    + "more room, or shorten the tolerance."
            )
        }
    }

    private func id(of claims: Claims) throws(AccessTokenError) -> String {
        guard let id = try claims.text("jti"), 1...256 ~= id.utf8.count else {
            throw AccessTokenError(.proofMalformed, "The proof has no id of 1 to 256 bytes.")
        }
        return Base64URL.encode(HashAlgorithm.sha256.hash(id.utf8))
    }

    private func checkTarget(
        of claims: Claims,
        _ request: HTTP.Request
    ) throws(AccessTokenError) {
        let method = try claims.text("htm") ?? ""
        let url = try claims.text("htu") ?? ""
        guard method.utf8.elementsEqual(request.method.rawValue.utf8) else {
            throw AccessTokenError(
                .proofTarget,
                "The proof is for the method \(HTTP.printable(method))."
            )
        }
        guard let expected = ProofTarget(request.url) else {
            throw AccessTokenError(
                .proofTarget,
                "The request's origin is not known. Tell the server which one callers use."
            )
        }
        guard let target = ProofTarget(HTTP.URL(unvalidated: url)), target == expected else {
            throw AccessTokenError(
                .proofTarget,
                "The proof is for \(HTTP.printable(url)), and the request for "
                    + "\(HTTP.printable(expected.text)). Behind a proxy, tell the server the origin that callers use."
            )
        }
    }

    private static let wrongTime = AccessTokenError(
        .proofTime,
        "The proof was made too long ago or in the future. Compare the clocks of the caller and this service."
    )

    /// Returns the last time at which a proof is accepted.
    private func end(of claims: Claims, at date: Date) throws(AccessTokenError) -> Date {
        guard let time = try claims.time("iat") else {
            throw AccessTokenError(.proofMalformed, "The proof has no time.")
        }
        let tolerance = tolerance.inSeconds
        guard -tolerance...tolerance ~= date.timeIntervalSince(time) else {
            throw Self.wrongTime
        }
        return time.addingTimeInterval(tolerance)
    }

    private func checkToken(of claims: Claims, _ token: String) throws(AccessTokenError) {
        let hash = Base64URL.encode(HashAlgorithm.sha256.hash(token.utf8))
        guard let text = try claims.text("ath"), ConstantTime.isEqual(text.utf8, hash.utf8) else {
            throw AccessTokenError(.proofToken, "The proof is not for the request's token.")
        }
    }

    private func isNonceAging(
        of claims: Claims,
        _ runtime: Runtime
    ) throws(AccessTokenError) -> Bool {
        let nonce = try claims.text("nonce")
        guard let nonces else { return false }
        let judgement = nonce.map { nonces.judge($0, on: runtime) } ?? .refused
        guard judgement != .refused else {
            throw AccessTokenError(
                .proofNonce,
                "The proof has no nonce that this server made lately."
            )
        }
        return judgement == .aging
    }
}
#endif
