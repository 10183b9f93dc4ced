public import InterceptorKit

/// Lets through only requests that are signed, on the serving side; the others are answered with 401.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
/// let verify = VerifyInterceptor(.messageSignature(verifier))
/// ```
///
/// A refused caller is told how to sign (`WWW-Authenticate`, and `Accept-Signature` for message
/// signatures) and never what was wrong: every refusal reads the same. The reason is in an event
/// (`Event.Name.signatureRefused`). Who signed is `Call.verifiedKeyID` for all below.
///
/// Content that the scheme has to see is read into memory up to a bound; more is answered with 413. Stand
/// it below what limits the load and above what believes the request.
public struct VerifyInterceptor: Interceptor {
    private let verification: RequestVerification
    private let contentLimit: Int

    /// Creates an interceptor.
    /// - Parameters:
    ///   - verification: The scheme, with its keys.
    ///   - contentLimit: The largest content that is read into memory for it, in bytes. Defaults to
    ///     1 MiB.
    public init(_ verification: RequestVerification, upTo contentLimit: Int = 1 << 20) {
        self.verification = verification
        self.contentLimit = contentLimit
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var request = chain.input
        do {
            if verification.readsContent, request.body.inMemory == nil {
                request.body = .bytes(try await request.body.collect(upTo: contentLimit))
            }
        } catch let error as HTTP.BodyError where error.code == .tooLarge {
            return HTTP.Response(413, headers: ["Connection": "close"])
        }
        do {
            let verified = try await verification.verify(request, chain.call.runtime.date)
            request.body = verified.content
            let call = chain.call.withValue(verified.keyID, for: VerifiedKeyID.self)
            // Content in signed pieces is refused only when it is read.
            return try await chain.proceed(request, call: call)
        } catch let refusal as SignatureVerificationError {
            chain.call.emit(
                .signatureRefused,
                from: "VerifyInterceptor",
                ["reason": .text(refusal.code.description)]
            )
            return HTTP.Response(401, headers: verification.challenge)
        }
    }
}

private enum VerifiedKeyID: CallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// Whose key signed the request that is served, once a ``VerifyInterceptor`` has verified it; `nil`
    /// before, and where the scheme names none.
    public var verifiedKeyID: String? { self[VerifiedKeyID.self] }
}

extension Event.Name {
    /// A request was not accepted, for the server's own logs: `reason` (the code of a
    /// ``SignatureVerificationError``).
    public static let signatureRefused: Self = "signature.refused"
}
