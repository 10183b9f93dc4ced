public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Accepts only signed requests on a server, and responds to all others with 401.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
/// let verify = VerifyInterceptor(.messageSignature(verifier))
/// ```
///
/// The 401 tells the caller how to sign (`WWW-Authenticate`, and `Accept-Signature` for message signatures) but never
/// what was wrong: all refusals look the same. The event `Event.Name.signatureRefused` has the reason. Interceptors
/// below find the signer as `Call.principal`, whose subject is the key's id. Their own errors pass through: a
/// ``SignatureVerificationError`` for another message does not lead to a 401.
///
/// Content that the scheme needs is read into memory up to a limit; larger content gets a 413. Place this interceptor
/// below those that limit the load and above those that trust the request.
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

    public func validate() throws {
        try SettingCheck(of: "VerifyInterceptor").notNegative("contentLimit", contentLimit)
        try verification.check()
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var request = chain.input
        do {
            if verification.readsContent, request.body.inMemory == nil {
                request.body = .bytes(try await request.body.collect(upTo: contentLimit))
            }
        } catch let error as HTTP.ContentError where error.code == .tooLarge {
            return HTTP.Response(413, headers: ["Connection": "close"])
        }
        let verified: RequestVerification.Verified
        do {
            verified = try await verification.verify(request, chain.call.runtime.date)
        } catch let refusal as SignatureVerificationError {
            return refused(refusal, chain.call)
        }
        var call = chain.call
        if let keyID = verified.keyID { call.principal = Principal(keyID) }
        // Content in signed chunks is verified, and may be refused, only when it is read.
        let refusal = ContentRefusal()
        request.body = verified.content
        if request.body.inMemory == nil, request.body.file == nil {
            request.body = request.body.wrapping { RefusableStream($0, refusal) }
        }
        do {
            return try await chain.proceed(request, call: call)
        } catch let error as SignatureVerificationError {
            guard let own = refusal.error else { throw error }
            return refused(own, chain.call)
        }
    }

    private func refused(_ refusal: SignatureVerificationError, _ call: Call) -> HTTP.Response {
        call.emit(
            .signatureRefused,
            ["reason": .text(refusal.code.description)]
        )
        return HTTP.Response(401, headers: verification.challenge)
    }
}

/// The reason why a request's content was refused while it was read.
private final class ContentRefusal: Sendable {
    private let state = Lock<SignatureVerificationError?>(nil)

    var error: SignatureVerificationError? { state.withLock(\.self) }

    func note(_ error: SignatureVerificationError) { state.withLock { $0 = error } }
}

/// A stream that records a refusal of its content, to tell it from errors of the reader.
private final class RefusableStream: HTTP.BodyStream {
    private let base: any HTTP.BodyStream
    private let refusal: ContentRefusal

    init(_ base: any HTTP.BodyStream, _ refusal: ContentRefusal) {
        self.base = base
        self.refusal = refusal
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            return try await base.next()
        } catch let error as SignatureVerificationError {
            refusal.note(error)
            throw error
        }
    }

    func cancel() { base.cancel() }
}

extension Event.Name {
    /// The server did not accept a request. The attribute `reason` is the code of a ``SignatureVerificationError``, for
    /// the server's own logs.
    public static let signatureRefused: Self = "signature.refused"
}
