#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signature scheme with its keys, for a ``SignInterceptor``.
public struct RequestSigner: Sendable {
    let scheme: any SignatureScheme
    let keys: any SigningKeyStore
    /// The keys, if they never change; kept apart because a cast costs more than the rest of a look-up.
    let fixedKeys: FixedSigningKeys?

    /// Creates a signer.
    /// - Parameters:
    ///   - scheme: The signature scheme.
    ///   - keys: The key store.
    public init(_ scheme: some SignatureScheme, keys: some SigningKeyStore) {
        self.scheme = scheme
        self.keys = keys
        fixedKeys = keys as? FixedSigningKeys
    }

    /// Creates a signer with one key.
    /// - Parameters:
    ///   - scheme: The signature scheme.
    ///   - key: The key.
    public init(_ scheme: some SignatureScheme, key: SigningKey) {
        self.init(scheme, keys: FixedSigningKeys([key]))
    }

    /// Returns a signer with HMAC-SHA256 over a canonical request and one key.
    /// - Parameters:
    ///   - keyID: The id by which the server knows the key.
    ///   - secret: The secret's bytes.
    ///   - location: The place of the signature. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: some Sequence<UInt8>,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        let key = SigningKey(id: keyID, secret: secret)
        return RequestSigner(HMACScheme(location), keys: FixedSigningKeys([key]))
    }

    /// Returns a signer with HMAC-SHA256 over a canonical request and one key.
    /// - Parameters:
    ///   - keyID: The id by which the server knows the key.
    ///   - secret: The secret as text, used as UTF-8.
    ///   - location: The place of the signature. Defaults to the field `X-Signature`.
    public static func hmacSHA256(
        keyID: String,
        secret: String,
        in location: HMACScheme.Location = .field
    ) -> RequestSigner {
        hmacSHA256(keyID: keyID, secret: Array(secret.utf8), in: location)
    }
}

/// A signed request with what a check of it needs. An object, because the interceptor keeps it while it is sent.
final class SignedRequest: Sendable {
    let request: HTTP.Request
    let scheme: any SignatureScheme
    let keyID: String
    let coversBody: Bool

    init(_ request: HTTP.Request, by scheme: any SignatureScheme, keyID: String, coversBody: Bool) {
        self.request = request
        self.scheme = scheme
        self.keyID = keyID
        self.coversBody = coversBody
    }
}

extension RequestSigner {
    /// The settings for signing one attempt.
    struct Signing {
        var scheme: any SignatureScheme
        var keyID: String?
        /// The seconds by which the server's clock is ahead of the local one.
        var offset: TimeInterval
    }

    /// Signs a request in the form in which it is sent: with a media type, its URL as transports write it, and its body
    /// hashed if the scheme covers it.
    nonisolated(nonsending) func sign(
        _ input: HTTP.Request,
        _ signing: Signing,
        _ call: Call
    ) async throws -> SignedRequest {
        guard let key = try await keys.key(id: signing.keyID) else {
            throw SigningError.missingKey(signing.keyID)
        }
        let request = Self.prepared(input)
        let hash = signing.scheme.bodyHash(for: request)
        let digest = try await Self.digest(of: request.body, hash)
        return try Self.signed(request, by: key, signing, digest, call)
    }

    /// Signs as ``sign(_:_:_:)`` does, if that takes no wait: with a fixed key and a short body in memory, as most
    /// requests have; otherwise returns `nil`.
    func signAtOnce(
        _ input: HTTP.Request,
        _ signing: Signing,
        _ call: Call
    ) throws -> SignedRequest? {
        guard let key = fixedKeys?[signing.keyID] else { return nil }
        let request = Self.prepared(input)
        guard let hash = signing.scheme.bodyHash(for: request) else {
            return try Self.signed(request, by: key, signing, nil, call)
        }
        guard let digest = request.body.hashAtOnce(by: hash) else { return nil }
        return try Self.signed(request, by: key, signing, digest, call)
    }

    private static func prepared(_ input: HTTP.Request) -> HTTP.Request {
        var request = input.withContentType
        request.url = request.url.normalized
        return request
    }

    private static func signed(
        _ request: HTTP.Request,
        by key: SigningKey,
        _ signing: Signing,
        _ digest: HashAlgorithm.Digest?,
        _ call: Call
    ) throws -> SignedRequest {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(call.runtime, offset: signing.offset),
            bodyHash: digest
        )
        return SignedRequest(
            try signing.scheme.sign(request, context),
            by: signing.scheme,
            keyID: key.id,
            coversBody: digest != nil
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
