public import InterceptorKit

/// HTTP Message Signatures (RFC 9421): the fields `Signature-Input` and `Signature`.
///
/// The signature covers content through its `Content-Digest` (RFC 9530), which the scheme adds if it is missing. A
/// secret signs with HMAC-SHA256, any other key with its signer's algorithm.
///
/// ```swift
/// let scheme = MessageSignatureScheme(tag: "orders")
/// let sign = SignInterceptor(RequestSigner(scheme, keys: keys))
/// ```
public struct MessageSignatureScheme: SignatureScheme {
    private let coverage: SignatureCoverage
    private let label: String
    private let tag: String?
    private let lifetime: Duration?
    private let contentDigest: HashAlgorithm?
    private let signatureRequest: SignatureRequest?

    /// Creates a scheme.
    /// - Parameters:
    ///   - coverage: The covered components. Defaults to ``SignatureCoverage/standard``.
    ///   - label: The signature's label within the message. Defaults to `sig`.
    ///   - tag: The purpose of the signature, in the application's own words. Defaults to none.
    ///   - lifetime: The time until the signature expires. Defaults to 300 s; `nil` leaves that to the verifier.
    ///   - contentDigest: The algorithm of the digest to add, SHA-256 or SHA-512. Defaults to SHA-256; `nil` adds none
    ///     and leaves content without a digest unsigned.
    public init(
        _ coverage: SignatureCoverage = .standard,
        label: String = "sig",
        tag: String? = nil,
        lifetime: Duration? = .seconds(300),
        contentDigest: HashAlgorithm? = .sha256
    ) {
        self.coverage = coverage
        self.label = label
        self.tag = tag
        self.lifetime = lifetime
        self.contentDigest = contentDigest
        signatureRequest = nil
    }

    /// Creates a scheme that signs as a server requests with `Accept-Signature`.
    /// - Parameters:
    ///   - signatureRequest: The server's request, read with ``SignatureRequest/parse(_:)``.
    ///   - lifetime: The lifetime of a signature that must expire. Defaults to 300 s.
    ///   - contentDigest: The algorithm of the digest to add if it must be covered. Defaults to SHA-256.
    public init(
        fulfilling signatureRequest: SignatureRequest,
        lifetime: Duration = .seconds(300),
        contentDigest: HashAlgorithm? = .sha256
    ) {
        coverage = SignatureCoverage(signatureRequest.parameters.components)
        label = signatureRequest.label
        tag = nil
        self.lifetime = lifetime
        self.contentDigest = contentDigest
        self.signatureRequest = signatureRequest
    }

    public var signatureFields: [String] { ["Signature-Input", "Signature"] }

    public func validate() throws {
        try coverage.validate()
        if let contentDigest, ![.sha256, .sha512].contains(contentDigest) {
            throw SigningError(
                .unfulfillable,
                "Content-Digest is by SHA-256 or SHA-512 (RFC 9530 section 5), not by "
                    + "\(contentDigest)."
            )
        }
        guard HTTP.StructuredField.isKey(label) else {
            throw SigningError.malformedParameters(
                "The label \(HTTP.printable(label)) is not a key of a structured field."
            )
        }
    }

    public func bodyHash(for request: HTTP.Request) -> HashAlgorithm? {
        guard let contentDigest, !request.headers.contains("Content-Digest") else { return nil }
        let isCovered =
            coverage.components.contains(where: \.isContentDigest)
            || !request.body.isEmpty
                && coverage.componentsIfPresent.contains(where: \.isContentDigest)
        return isCovered ? contentDigest : nil
    }

    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        try context.key.validate()
        var request = request
        if let hash = bodyHash(for: request) {
            request.headers["Content-Digest"] = try Self.digestField(hash, context.bodyHash)
        }
        let parameters =
            try signatureRequest?.parameters(fulfilledWith: context, lifetime: lifetime)
            ?? usualParameters(for: .request(request), context)
        return try request.signed(
            parameters,
            label: label,
            with: context.key
        )
    }

    public func coveredFields(of request: HTTP.Request) -> [String] {
        components(for: .request(request)).filter { !$0.isDerived }.map(\.name)
    }

    private func components(for message: SignableMessage) -> [MessageComponent] {
        coverage.components(for: message, countsContent: contentDigest != nil)
    }

    private func usualParameters(
        for message: SignableMessage,
        _ context: SigningContext
    ) -> SignatureParameters {
        var values = HTTP.StructuredField.Parameters()
        values.reserveCapacity(6)
        values["created"] = .integer(context.timestamp)
        if let lifetime { values["expires"] = .integer(context.expiry(after: lifetime)) }
        values["nonce"] = .string(context.nonce)
        values["alg"] = .string(context.key.messageAlgorithm.name)
        values["keyid"] = .string(context.key.id)
        if let tag { values["tag"] = .string(tag) }
        return SignatureParameters(components(for: message), values)
    }

    private static func digestField(
        _ hash: HashAlgorithm,
        _ digest: HashAlgorithm.Digest?
    ) throws -> String {
        guard let digest, digest.count == hash.digestSize else {
            throw SigningError(
                .unsignableBody,
                "The body's \(hash) digest is missing from the context, and the signature covers it."
            )
        }
        var digests = HTTP.IntegrityDigests()
        digests[hash == .sha512 ? .sha512 : .sha256] = Array(digest)
        return try digests.serialized()
    }
}
