public import InterceptorKit

/// Accepts only signed requests on a server; others get a 401.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
/// let verify = VerifyInterceptor(.messageSignature(verifier))
/// ```
///
/// A refused caller learns how to sign (`WWW-Authenticate`, and `Accept-Signature` for message signatures)
/// but never what was wrong: all refusals look the same. An event has the reason
/// (`Event.Name.signatureRefused`). Stages below find the signer's key in `Call.verifiedKeyID`.
///
/// Content that the scheme needs is read into memory up to a limit; more gets a 413. Put it below
/// interceptors that limit the load and above those that trust the request.
public struct VerifyInterceptor: Interceptor {
    private let verification: RequestVerification
    private let contentLimit: Int

    /// Creates an interceptor.
    /// - Parameters:
    ///   - verification: The scheme, with its keys.
    ///   - contentLimit: The largest content that is read into memory, in bytes. Defaults to 1 MiB.
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
    /// The id of the key that signed the served request, after a ``VerifyInterceptor`` verified it; `nil`
    /// before, and if the scheme names none.
    public var verifiedKeyID: String? { self[VerifiedKeyID.self] }
}

extension Event.Name {
    /// A request was not accepted, for the server's own logs: `reason` (the code of a
    /// ``SignatureVerificationError``).
    public static let signatureRefused: Self = "signature.refused"
}
