#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
/// its hash and sent, the call fails with a ``SigningError``. What was sent is compared to what was signed:
/// where an interceptor below changed something covered, a refusal by the server becomes a
/// ``SigningError`` that names it, and any other answer is reported as ``Event/Name/signatureBroken``.
public struct SignInterceptor: Interceptor {
    private let signer: RequestSigner
    private let origins: [HTTP.Origin]
    private let clock: ClockSkew?
    private let hashing: HashProvider

    /// Creates an interceptor.
    /// - Parameters:
    ///   - signer: The scheme and the keys; for one call, see ``Call/signsRequest`` and
    ///     ``Call/signingKeyID``.
    ///   - origins: Whose requests are signed although a redirect led there from another origin.
    ///     Defaults to none.
    ///   - learnsClockSkew: Whether a response with 401 or 403 whose `Date` is 30 s or more from the time
    ///     that was signed has the request signed once more by the server's clock, and the next ones
    ///     too. Defaults to `true`.
    ///   - hashing: Who computes the hashes. Defaults to this library; the module
    ///     `InterceptorKitCrypto` has `swiftCrypto`, several times as fast for large bodies.
    public init(
        _ signer: RequestSigner,
        afterRedirectsTo origins: [HTTP.Origin] = [],
        learnsClockSkew: Bool = true,
        hashing: HashProvider = .builtIn
    ) {
        self.signer = signer
        self.origins = origins
        clock = learnsClockSkew ? ClockSkew() : nil
        self.hashing = hashing
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
        let origin = chain.input.url.origin
        guard isAllowed(origin, call) else {
            call.emit(.signatureWithheld, from: "SignInterceptor")
            return try await chain.proceed()
        }
        guard let clock else { return try await send(chain, offset: 0) }
        let offset = clock.offset(for: origin)
        let response = try await send(chain, offset: offset)
        let now = call.runtime.date
        guard let learned = clock.learn(from: response, of: origin, used: offset, now: now) else {
            return response
        }
        call.emit(
            .clockSkewLearned,
            from: "SignInterceptor",
            ["offset": .duration(.seconds(learned))]
        )
        guard chain.input.body.isReplayable else { return response }
        await response.discard()
        return try await send(chain, offset: learned)
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        offset: TimeInterval
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard let key = try await signer.keys.key(id: call.signingKeyID) else {
            throw SigningError.missingKey(call.signingKeyID)
        }
        let scheme = signer.scheme
        var request = chain.input.withContentType
        request.url = request.url.normalized
        let hash = scheme.bodyHash(for: request)
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(call.runtime, offset: offset),
            bodyHash: try await digest(of: request.body, hash),
            hashing: hashing
        )
        let signed = try scheme.sign(request, context)
        call.emit(.signed, from: "SignInterceptor", ["key.id": .text(key.id)])
        let response = try await chain.proceed(
            signed,
            call: call.credentialFields(adding: scheme.signatureFields)
        )
        let check = SignatureCheck(signed, by: scheme, coversBody: hash != nil)
        return try await check.passed(response, call)
    }

    private nonisolated(nonsending) func digest(
        of body: HTTP.Body,
        _ algorithm: HashAlgorithm?
    ) async throws -> HashAlgorithm.Digest? {
        guard let algorithm else { return nil }
        guard body.isReplayable else {
            throw SigningError(
                .unsignableBody,
                "The body can be read once, so it cannot be hashed for the signature and sent. Use a "
                    + "replayable body, or a scheme that declares bodies unsigned."
            )
        }
        return try await body.digest(algorithm, by: hashing)
    }

    private func isAllowed(_ origin: HTTP.Origin?, _ call: Call) -> Bool {
        guard call.hasLeftOrigin else { return true }
        return origin.map(origins.contains) ?? false
    }
}

extension FixedSigningKeys {
    fileprivate func validate() throws {
        for key in keys { try key.validate() }
    }
}
