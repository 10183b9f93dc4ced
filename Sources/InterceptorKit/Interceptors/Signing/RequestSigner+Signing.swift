#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request that was signed, and what there is to know of that.
struct SignedRequest {
    let request: HTTP.Request
    let scheme: any SignatureScheme
    let keyID: String
    let coversBody: Bool
}

extension RequestSigner {
    /// How one attempt is signed.
    struct Signing {
        var scheme: any SignatureScheme
        var keyID: String?
        /// How far the server's clock is ahead of ours.
        var offset: TimeInterval
    }

    /// Signs a request as it is going to be sent: with a media type, its URL as transports write it, and
    /// its body hashed if the scheme covers it.
    nonisolated(nonsending) func sign(
        _ input: HTTP.Request,
        _ signing: Signing,
        _ call: Call
    ) async throws -> SignedRequest {
        guard let key = try await keys.key(id: signing.keyID) else {
            throw SigningError.missingKey(signing.keyID)
        }
        var request = input.withContentType
        request.url = request.url.normalized
        let hash = signing.scheme.bodyHash(for: request)
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(call.runtime, offset: signing.offset),
            bodyHash: try await Self.digest(of: request.body, hash)
        )
        return SignedRequest(
            request: try signing.scheme.sign(request, context),
            scheme: signing.scheme,
            keyID: key.id,
            coversBody: hash != nil
        )
    }

    private static nonisolated(nonsending) func digest(
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
        return try await body.hash(by: algorithm)
    }
}
