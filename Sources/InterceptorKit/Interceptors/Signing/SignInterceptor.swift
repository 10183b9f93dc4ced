/// Signs each attempt anew: timestamp, nonce and signature are never used twice.
///
/// Put it last, just above the transport: what is changed after signing makes the signature wrong, and
/// outside a retry every attempt would carry the first one's. The URL is normalised first, as clients
/// put it on the wire, so that what is signed is what is sent.
///
/// A redirect that leads to another origin takes no signature along: the request is sent unsigned, also
/// after it was led back, unless its origin is among those named.
///
/// Otherwise a request is not sent unsigned by accident: without a key, or with a body that cannot be read for
/// its hash and sent, the call fails with a ``SigningError``.
public struct SignInterceptor: Interceptor {
    private let signer: RequestSigner
    private let origins: [HTTP.Origin]

    /// Creates an interceptor.
    /// - Parameters:
    ///   - signer: The scheme and the keys; for one call, see ``Call/signsRequest`` and
    ///     ``Call/signingKeyID``.
    ///   - origins: Whose requests are signed although a redirect led there from another origin.
    ///     Defaults to none.
    public init(_ signer: RequestSigner, afterRedirectsTo origins: [HTTP.Origin] = []) {
        self.signer = signer
        self.origins = origins
    }

    public var placement: Placement? { .signing }

    public func validate() throws {
        for origin in origins { try origin.validate() }
        try signer.scheme.validate()
        guard let fixed = signer.keys as? FixedSigningKeys else { return }
        try fixed.validate()
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard call.signsRequest else { return try await chain.proceed() }
        guard isAllowed(chain.input.url, call) else {
            call.emit(.signatureWithheld, from: "SignInterceptor")
            return try await chain.proceed()
        }
        guard let key = try await signer.keys.key(id: call.signingKeyID) else {
            throw SigningError.missingKey(call.signingKeyID)
        }
        var request = chain.input.withContentType
        request.url = request.url.normalized
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(call.runtime),
            bodyHash: try await request.body.digest(by: signer.scheme.bodyHash(for: request))
        )
        let signed = try signer.scheme.sign(request, context)
        call.emit(.signed, from: "SignInterceptor", ["key.id": .text(key.id)])
        return try await chain.proceed(
            signed,
            call: call.credentialFields(adding: signer.scheme.signatureFields)
        )
    }

    private func isAllowed(_ url: HTTP.URL, _ call: Call) -> Bool {
        guard call.hasLeftOrigin else { return true }
        return url.origin.map(origins.contains) ?? false
    }
}

extension FixedSigningKeys {
    fileprivate func validate() throws {
        for key in keys { try key.validate() }
    }
}

extension HTTP.Body {
    // Reads a body that can be read again; hashing as it goes, so a large file is never in memory.
    @concurrent
    fileprivate func digest(by algorithm: HashAlgorithm?) async throws -> HashAlgorithm.Digest? {
        guard let algorithm else { return nil }
        guard isReplayable else {
            throw SigningError(
                .unsignableBody,
                "The body can be read once, so it cannot be hashed for the signature and sent. Use a "
                    + "replayable body, or a scheme that declares bodies unsigned."
            )
        }
        var hash = RunningHash(algorithm)
        for try await chunk in self { hash.update(chunk) }
        return hash.finalize()
    }
}
