public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The verification for a ``VerifyInterceptor``: one of this library's schemes, or a closure.
public struct RequestVerification: Sendable {
    /// A verified request.
    public struct Verified: Sendable {
        /// The id of the key that signed it; `nil` if the scheme names none.
        public var keyID: String?
        /// The content to continue with: the request's own, or content that is verified while it is read.
        public var content: HTTP.Body

        /// Creates a result.
        public init(keyID: String?, content: HTTP.Body) {
            self.keyID = keyID
            self.content = content
        }
    }

    /// Fields that tell a caller how to sign, in the response to an unsigned request.
    let challenge: HTTP.Headers
    // Whether the content has to be in memory.
    let readsContent: Bool
    /// Throws if no request could be accepted.
    var check: @Sendable () throws -> Void = {}
    let verify: @Sendable (HTTP.Request, Date) async throws -> Verified

    /// Creates a verification.
    /// - Parameters:
    ///   - challenge: The value of `WWW-Authenticate` in a 401 (RFC 9110 section 11.6.1), such as a scheme's
    ///     name.
    ///   - readsContent: Whether `verify` needs the content in memory. Defaults to `true`.
    ///   - verify: Verifies a request at a date, or throws a ``SignatureVerificationError``. Any other error
    ///     is a failure of the server itself.
    public init(
        challenge: String,
        readsContent: Bool = true,
        _ verify: @escaping @Sendable (HTTP.Request, Date) async throws -> Verified
    ) {
        self.init(["WWW-Authenticate": challenge], readsContent: readsContent, verify)
    }

    init(
        _ challenge: HTTP.Headers,
        readsContent: Bool,
        _ verify: @escaping @Sendable (HTTP.Request, Date) async throws -> Verified
    ) {
        self.challenge = challenge
        self.readsContent = readsContent
        self.verify = verify
    }
}

extension RequestVerification {
    /// Returns a verification for HTTP Message Signatures (RFC 9421). A 401 names the components to cover in
    /// `Accept-Signature`.
    ///
    /// A verifier that does not check content compares what is in memory all the same, and leaves other
    /// content to the reader: if a signature covers `Content-Digest`, reading a changed body ends with an
    /// `HTTP.ContentError`. One that does needs the content in memory.
    public static func messageSignature(_ verifier: MessageSignatureVerifier) -> Self {
        var challenge: HTTP.Headers = ["WWW-Authenticate": "Signature"]
        challenge["Accept-Signature"] = verifier.signatureRequest
        var verification = RequestVerification(
            challenge,
            readsContent: verifier.rules.checksContent
        ) { request, date in
            let signature = try await verifier.verify(.request(request), at: date)
            let coversContent = signature.parameters.components.contains(where: \.isContentDigest)
            guard coversContent, !verifier.rules.comparesContent(of: request.body) else {
                return Verified(keyID: signature.keyID, content: request.body)
            }
            do {
                let digests = try HTTP.IntegrityDigests(
                    parsing: request.headers["Content-Digest"] ?? ""
                )
                let content = try request.body.verified(by: digests)
                return Verified(keyID: signature.keyID, content: content)
            } catch let error as HTTP.ContentError {
                throw SignatureVerificationError(.content, signature.label, error.message)
            }
        }
        verification.check = { try verifier.rules.validate() }
        return verification
    }

    /// Returns a verification for AWS Signature Version 4 and 4A. Content in signed chunks is verified while
    /// it is read.
    public static func aws(_ verifier: AWSSignatureV4Verifier) -> Self {
        var verification = RequestVerification(
            challenge: verifier.scheme.algorithm == .hmacSHA256
                ? "AWS4-HMAC-SHA256" : "AWS4-ECDSA-P256-SHA256",
            readsContent: verifier.rules.checksContent
        ) { request, date in
            let signature = try await verifier.verify(request, at: date)
            return Verified(keyID: signature.keyID, content: signature.content)
        }
        verification.check = { try verifier.rules.validate() }
        return verification
    }

    /// Returns a verification for this library's own scheme.
    /// - Parameters:
    ///   - scheme: The scheme to verify.
    ///   - keys: The store of keys, asked for the id in a request.
    ///   - nonces: The store of used nonces. Defaults to none: within the tolerance, anyone who saw a request
    ///     can send it again.
    ///   - tolerance: The largest distance of a signature's time from the current one. Defaults to 300 s.
    public static func hmac(
        _ scheme: HMACScheme,
        keys: some SigningKeyStore,
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300)
    ) -> Self {
        var verification = RequestVerification(challenge: "HMAC-SHA256") { request, date in
            let parsed = try scheme.parsed(of: request)
            guard let key = try await keys.key(id: parsed.keyID) else {
                throw SignatureVerificationError.unknownKey(parsed.keyID)
            }
            try scheme.verify(parsed, of: request, with: key, date: date, tolerance: tolerance)
            try await nonces?.accept(parsed.nonce, of: key.id, tolerance, at: date)
            return Verified(keyID: key.id, content: request.body)
        }
        verification.check = {
            try scheme.validate()
            try SettingCheck(of: "RequestVerification").positive("tolerance", tolerance)
        }
        return verification
    }

    /// Returns a verification for a template scheme, such as those of clouds, gateways and webhooks.
    ///
    /// A request is recognised by the nonce that its signature covers. Where a scheme has none, as those of
    /// Stripe, Slack and GitHub, the signature itself is noted. A scheme without a time, as GitHub's, has
    /// signatures that stay valid: with a store, they are refused again for twice the tolerance, so choose a
    /// long one, or note the delivery's id.
    /// - Parameters:
    ///   - scheme: The scheme to verify.
    ///   - keys: The store of keys; it chooses the key if the scheme names none.
    ///   - nonces: The store of used nonces. Defaults to none: within the tolerance, anyone who saw a request
    ///     can send it again.
    ///   - tolerance: The largest distance of a signature's time from the current one. Defaults to 300 s.
    ///
    /// A chain is not built with a scheme whose signatures cannot be read back.
    public static func template(
        _ scheme: TemplateScheme,
        keys: some SigningKeyStore,
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300)
    ) -> Self {
        var verification = RequestVerification(challenge: "Signature") { request, date in
            let parsed = try scheme.parsed(of: request)
            guard let key = try await keys.key(id: parsed.keyID) else {
                throw SignatureVerificationError.unknownKey(parsed.keyID ?? "")
            }
            let proof = try scheme.proof(
                parsed,
                of: request,
                with: key,
                date: date,
                tolerance: tolerance
            )
            try await nonces?.accept(proof, of: key.id, tolerance, at: date)
            return Verified(keyID: key.id, content: request.body)
        }
        verification.check = {
            try scheme.validateForVerifying()
            try SettingCheck(of: "RequestVerification").positive("tolerance", tolerance)
        }
        return verification
    }
}

extension NonceStore {
    // Nonces that are missing or endless would be accepted any number of times, or fill the store.
    func accept(
        _ nonce: String?,
        of keyID: String,
        _ tolerance: Duration,
        at date: Date
    ) async throws {
        guard let nonce, 1...256 ~= nonce.utf8.count else {
            throw SignatureVerificationError(
                .missingParameter,
                nil,
                "There is no nonce of 1 to 256 bytes."
            )
        }
        let expiry = date.addingTimeInterval(2 * tolerance.inSeconds)
        switch try await note(nonce, of: keyID, until: expiry, at: date) {
        case .fresh: return
        case .replayed:
            throw SignatureVerificationError(.replayed, nil, "The nonce was used before.")
        case .full:
            throw SignatureVerificationError(
                .nonceStoreFull,
                nil,
                "The nonce store is full."
            )
        }
    }
}

extension MessageSignatureVerifier {
    // What a signature has to cover, as RFC 9421 section 5.1 has it.
    fileprivate var signatureRequest: String? {
        var parameters = SignatureParameters(
            rules.coverage.components
                + rules.coverage.componentsIfPresent.filter(\.isContentDigest)
        )
        parameters.values["created"] = .boolean(true)
        parameters.tag = rules.tag
        let signatureRequest = SignatureRequest(label: rules.label ?? "sig", parameters)
        return try? SignatureRequest.serialized([signatureRequest])
    }
}
