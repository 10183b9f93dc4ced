/// Signs each attempt anew: timestamp, nonce and signature are never used twice.
///
/// Put it last, just above the transport: what is changed after signing makes the signature wrong, and
/// outside a retry every attempt would carry the first one's. The URL is normalised first, as clients
/// put it on the wire, so that what is signed is what is sent.
///
/// A request is not sent unsigned by accident: without a key, or with a body that cannot be read for
/// its hash and sent, the call fails with a ``SigningError``.
public struct SignInterceptor: Interceptor {
    private let signer: RequestSigner

    /// Creates an interceptor.
    /// - Parameter signer: The scheme and the keys; for one call, see ``Call/signsRequest`` and
    ///   ``Call/signingKeyID``.
    public init(_ signer: RequestSigner) { self.signer = signer }

    public var placement: Placement? { .signing }

    public func validate() throws {
        guard let fixed = signer.keys as? FixedSigningKeys else { return }
        try fixed.validate()
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard call.signsRequest else { return try await chain.proceed() }
        guard let key = try await signer.keys.key(id: call.signingKeyID) else {
            throw SigningError.missingKey(call.signingKeyID)
        }
        var request = chain.input.withContentType
        request.url = request.url.normalized
        let content = signer.scheme.coversBody ? try await request.body.digest() : nil
        let freshness = SignatureFreshness(call.runtime)
        let signed = try signer.scheme.sign(request, content: content, with: key, freshness)
        call.emit(.signed, from: "SignInterceptor", ["key.id": .text(key.id)])
        return try await chain.proceed(
            signed,
            call: call.credentialFields(adding: signer.scheme.signatureFields)
        )
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
    fileprivate func digest() async throws -> [UInt8] {
        guard isReplayable else {
            throw SigningError(
                .unsignableBody,
                "The body can be read once, so it cannot be hashed for the signature and sent. Use a "
                    + "replayable body, or a scheme that declares bodies unsigned."
            )
        }
        var hash = RunningHash(.sha256)
        for try await chunk in self { hash.update(chunk) }
        return Array(hash.finalize())
    }
}
