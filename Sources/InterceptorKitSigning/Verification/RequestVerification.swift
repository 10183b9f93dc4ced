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
        /// The id of the key that signed the request; `nil` if the scheme names none.
        public var keyID: String?
        /// The content to pass on: the request's own content, or content that is verified while it is read.
        public var content: HTTP.Body

        /// Creates a result.
        public init(keyID: String?, content: HTTP.Body) {
            self.keyID = keyID
            self.content = content
        }
    }

    /// The fields of a 401 that tell a caller how to sign.
    let challenge: HTTP.Headers
    // Whether the content must be in memory.
    let readsContent: Bool
    /// Throws if the settings cannot accept any request.
    let check: @Sendable () throws -> Void
    let verify: @Sendable (HTTP.Request, Date) async throws -> Verified

    /// Creates a verification.
    /// - Parameters:
    ///   - challenge: The value of `WWW-Authenticate` in a 401 (RFC 9110 section 11.6.1), such as a scheme's name.
    ///   - readsContent: Whether `verify` needs the content in memory. Defaults to `true`.
    ///   - validate: Throws if no request could be accepted, and then no chain is built with the interceptor. Defaults to
    ///     nothing.
    ///   - verify: Verifies a request at a date, or throws a ``SignatureVerificationError``. Any other error is a
    ///     failure of the server itself.
    public init(
        challenge: String,
        readsContent: Bool = true,
        validate: @escaping @Sendable () throws -> Void = {},
        _ verify: @escaping @Sendable (HTTP.Request, Date) async throws -> Verified
    ) {
        self.init(
            ["WWW-Authenticate": challenge],
            readsContent: readsContent,
            validate: validate,
            verify
        )
    }

    init(
        _ challenge: HTTP.Headers,
        readsContent: Bool,
        validate: @escaping @Sendable () throws -> Void,
        _ verify: @escaping @Sendable (HTTP.Request, Date) async throws -> Verified
    ) {
        self.challenge = challenge
        self.readsContent = readsContent
        check = validate
        self.verify = verify
    }
}

extension RequestVerification {
    /// Returns a verification for HTTP Message Signatures (RFC 9421). A 401 lists the components to cover in
    /// `Accept-Signature`.
    ///
    /// A verifier that checks content needs it in memory. Any other verifier still compares content that is in memory.
    /// Other content is verified while it is read: if the signature covers `Content-Digest`, reading changed content
    /// ends with an `HTTP.ContentError`.
    public static func messageSignature(_ verifier: MessageSignatureVerifier) -> Self {
        var challenge: HTTP.Headers = ["WWW-Authenticate": "Signature"]
        challenge["Accept-Signature"] = verifier.signatureRequest
        return RequestVerification(
            challenge,
            readsContent: verifier.rules.checksContent,
            validate: { try verifier.rules.validate() }
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
    }

    /// Returns a verification for this library's own scheme.
    /// - Parameters:
    ///   - scheme: The scheme to verify.
    ///   - keys: The store of keys, which is asked for the key id in a request.
    ///   - nonces: The store of used nonces. Defaults to none: requests can be replayed within the tolerance.
    ///   - tolerance: The largest difference between a signature's time and the current time. Defaults to 300 s.
    public static func hmac(
        _ scheme: HMACScheme,
        keys: some SigningKeyStore,
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300)
    ) -> Self {
        RequestVerification(
            challenge: "HMAC-SHA256",
            validate: {
                try scheme.validate()
                try SettingCheck(of: "RequestVerification").positive("tolerance", tolerance)
            }
        ) { request, date in
            let parsed = try scheme.parsed(of: request)
            guard let key = try await keys.key(id: parsed.keyID) else {
                throw SignatureVerificationError.unknownKey(parsed.keyID)
            }
            try scheme.verify(parsed, of: request, with: key, date: date, tolerance: tolerance)
            try await nonces?.accept(parsed.nonce, of: key.id, tolerance, at: date)
            return Verified(keyID: key.id, content: request.body)
        }
    }

    /// Returns a verification for a template scheme, such as those of clouds, gateways and webhooks.
    ///
    /// The covered nonce identifies a request. For schemes without a nonce, such as those of Stripe, Slack and GitHub,
    /// the signature itself does. If a scheme has no time either, as GitHub's, its signatures stay valid, and a store
    /// refuses a replay only for twice the tolerance: choose a long tolerance, or record the delivery's id.
    ///
    /// A chain with a scheme whose signatures cannot be read back is not built.
    /// - Parameters:
    ///   - scheme: The scheme to verify.
    ///   - keys: The store of keys, which chooses the key if the scheme names none.
    ///   - nonces: The store of used nonces. Defaults to none: requests can be replayed within the tolerance.
    ///   - tolerance: The largest difference between a signature's time and the current time. Defaults to 300 s.
    public static func template(
        _ scheme: TemplateScheme,
        keys: some SigningKeyStore,
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300)
    ) -> Self {
        RequestVerification(
            challenge: "Signature",
            validate: {
                try scheme.validateForVerifying()
                try SettingCheck(of: "RequestVerification").positive("tolerance", tolerance)
            }
        ) { request, date in
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
    }
}

extension NonceStore {
    // A missing nonce could be replayed any number of times, and a very long one would fill the store.
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
    // The components and parameters to request (RFC 9421 section 5.1).
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
