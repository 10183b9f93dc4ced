#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs each attempt anew, so that no timestamp, nonce or signature is used twice.
///
/// Put it last, just above the transport: a later change would invalidate the signature, and outside a retry every
/// attempt would carry the first one's. The URL is normalised before signing, as clients send it.
///
/// A redirect to another origin is sent unsigned, even if it leads back later, unless its origin is listed.
///
/// Otherwise no request is sent unsigned by accident: without a key, or with a body that cannot be both hashed and
/// sent, the call fails with a ``SigningError``. The sent request is compared with the signed one. If an interceptor
/// below changed a covered part, a refusal by the server becomes a ``SigningError`` that names the part, and any other
/// response is reported as ``Event/Name/signatureBroken``.
public struct SignInterceptor: Interceptor {
    private let signer: RequestSigner
    private let origins: [HTTP.Origin]
    private let clock: ClockSkew?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - signer: The scheme and the keys; for one call, see ``Call/signsRequest`` and ``Call/signingKeyID``.
    ///   - origins: The origins whose requests are signed even after a redirect from another origin. Defaults to none.
    ///   - learnsClockSkew: Whether to sign a request once more with the server's time after a 401 or 403 whose `Date`
    ///     differs by 30 s or more from the signed time, and to keep using that time. Defaults to `true`.
    public init(
        _ signer: RequestSigner,
        afterRedirectsTo origins: [HTTP.Origin] = [],
        learnsClockSkew: Bool = true
    ) {
        self.signer = signer
        self.origins = origins
        clock = learnsClockSkew ? ClockSkew() : nil
    }

    public var placement: Placement? { .signing }

    public var keepsDeadline: Bool { true }

    public func validate() throws {
        for origin in origins { try origin.validate() }
        try signer.scheme.validate()
        try signer.fixedKeys?.validate()
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard call.signsRequest else { return try await chain.proceed() }
        // Keys from elsewhere and the content of a body may take any time.
        if call.isDeadlineLeft, !(signer.fixedKeys != nil && chain.input.body.inMemory != nil) {
            return try await interceptKeepingDeadline(chain)
        }
        guard isAllowed(chain) else {
            call.emit(.signatureWithheld)
            return try await chain.proceed()
        }
        let signing = signing(for: chain)
        let response: HTTP.Response
        if let signed = try signer.signAtOnce(chain.input, signing, call) {
            response = try await send(signed, chain)
        } else {
            response = try await signAndSend(chain, signing)
        }
        let learned = learn(from: response, chain, signing)
        // Nearly every response.
        if learned == nil, signer.scheme.signatureRequests(of: response, to: chain.input).isEmpty {
            return response
        }
        return try await answer(response, learned, chain, signing)
    }

    // Functions of their own, because an asynchronous one takes room for all that it may do.

    @inline(never)
    private func signing(for chain: InterceptorChain<HTTP.Request>) -> RequestSigner.Signing {
        RequestSigner.Signing(
            scheme: signer.scheme,
            keyID: chain.call.signingKeyID,
            offset: clock?.offset(for: chain.input.url.origin) ?? 0
        )
    }

    @inline(never)
    private func learn(
        from response: HTTP.Response,
        _ chain: InterceptorChain<HTTP.Request>,
        _ signing: RequestSigner.Signing
    ) -> TimeInterval? {
        clock?.learn(
            from: response,
            of: chain.input.url.origin,
            used: signing.offset,
            now: chain.call.runtime.date
        )
    }

    @inline(never)
    private nonisolated(nonsending) func interceptKeepingDeadline(
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.call.keepingDeadline { call in
            try await intercept(chain: chain.guarded(call))
        }
    }

    @inline(never)
    private nonisolated(nonsending) func signAndSend(
        _ chain: InterceptorChain<HTTP.Request>,
        _ signing: RequestSigner.Signing
    ) async throws -> HTTP.Response {
        try await send(signer.sign(chain.input, signing, chain.call), chain)
    }

    @inline(never)
    private nonisolated(nonsending) func answer(
        _ response: HTTP.Response,
        _ learned: TimeInterval?,
        _ chain: InterceptorChain<HTTP.Request>,
        _ signing: RequestSigner.Signing
    ) async throws -> HTTP.Response {
        let result = try await afterSkew(response, learned, chain, signing)
        return try await afterSignatureRequest(result.response, chain, result.offset)
    }

    private nonisolated(nonsending) func afterSkew(
        _ response: HTTP.Response,
        _ learned: TimeInterval?,
        _ chain: InterceptorChain<HTTP.Request>,
        _ signing: RequestSigner.Signing
    ) async throws -> (response: HTTP.Response, offset: TimeInterval) {
        let call = chain.call
        guard let learned else { return (response, signing.offset) }
        call.emit(
            .clockSkewLearned,
            ["offset": .duration(.seconds(learned))]
        )
        guard chain.input.body.isReplayable else { return (response, learned) }
        await response.discard(on: chain.call.runtime)
        var again = signing
        again.offset = learned
        let signed = try await signer.sign(chain.input, again, call)
        return (try await send(signed, chain), learned)
    }

    /// Signs once more as the server asks, if scheme and keys allow it.
    private nonisolated(nonsending) func afterSignatureRequest(
        _ response: HTTP.Response,
        _ chain: InterceptorChain<HTTP.Request>,
        _ offset: TimeInterval
    ) async throws -> HTTP.Response {
        let call = chain.call
        guard chain.input.body.isReplayable else { return response }
        for signatureRequest in signer.scheme.signatureRequests(of: response, to: chain.input) {
            let signing = RequestSigner.Signing(
                scheme: signatureRequest.scheme,
                keyID: signatureRequest.keyID ?? call.signingKeyID,
                offset: offset
            )
            let signed: SignedRequest
            do {
                signed = try await signer.sign(chain.input, signing, call)
            } catch is SigningError {
                // The server asks for another key, or for a component that the request lacks.
                continue
            }
            call.emit(
                .signatureRequested,
                ["label": .text(signatureRequest.label)]
            )
            await response.discard(on: chain.call.runtime)
            return try await send(signed, chain)
        }
        return response
    }

    private nonisolated(nonsending) func send(
        _ signed: SignedRequest,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let call = chain.call
        call.emit(.signed, ["key.id": .text(signed.keyID)])
        let response = try await chain.proceed(
            signed.request,
            call: call.credentialFields(adding: signed.scheme.signatureFields)
        )
        return try await SignatureCheck(signed).passed(response, call)
    }

    @inline(never)
    private func isAllowed(_ chain: InterceptorChain<HTTP.Request>) -> Bool {
        guard chain.call.hasLeftOrigin else { return true }
        return chain.input.url.origin.map(origins.contains) ?? false
    }
}

extension FixedSigningKeys {
    fileprivate func validate() throws {
        for key in keys { try key.validate() }
    }
}

private enum SignsRequest: PartitioningCallKey {
    static let defaultValue = true
}

private enum SigningKeyID: PartitioningCallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// Whether this call's requests are signed. Defaults to `true`.
    public var signsRequest: Bool {
        get { self[SignsRequest.self] }
        set { self[SignsRequest.self] = newValue }
    }

    /// The id of the key to sign this call's requests with; `nil`, the default, lets the store choose.
    public var signingKeyID: String? {
        get { self[SigningKeyID.self] }
        set { self[SigningKeyID.self] = newValue }
    }
}

extension Event.Name {
    /// A signature was added: `key.id`.
    public static let signed: Self = "signature.added"
    /// No signature was added, because a redirect led to another origin.
    public static let signatureWithheld: Self = "signature.withheld"
    /// The server's clock differs so much from the local one that the server refuses signatures: `offset`.
    public static let clockSkewLearned: Self = "signature.clock_skew_learned"
    /// A part that the signature covers was changed after signing: `changed`.
    public static let signatureBroken: Self = "signature.broken"
    /// A server asked for another signature, which was then made: `label`.
    public static let signatureRequested: Self = "signature.requested"
}
