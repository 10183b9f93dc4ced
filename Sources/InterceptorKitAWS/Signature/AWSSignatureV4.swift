public import InterceptorKit
public import InterceptorKitSigning

/// AWS Signature Version 4 and 4A, in header fields or in the query of a URL.
///
/// ```swift
/// let sign = SignInterceptor(
///     RequestSigner(.aws(service: "execute-api", region: "eu-west-1"), keys: keys)
/// )
/// ```
///
/// The key's id is the access key's id, its secret the secret access key, and `SigningKey.token` the session token of
/// temporary credentials. Derived keys are kept for a day. A payload hash that the request has in
/// `X-Amz-Content-Sha256` is kept.
public struct AWSSignatureV4: SignatureScheme {
    /// The signature algorithm.
    public enum Algorithm: Sendable, Hashable {
        /// Version 4: HMAC with SHA-256, and a key derived for a day, region and service.
        case hmacSHA256
        /// Version 4A: ECDSA on P-256 with SHA-256, for a set of regions; the key is a signer.
        case ecdsaP256SHA256
    }

    /// The place of a signature in a request.
    public enum Location: Sendable, Hashable {
        /// The field `Authorization`.
        case field
        /// The query of a presigned URL, which anyone may use for this time; up to seven days.
        case query(validFor: Duration)
    }

    /// The part of the content that a signature covers.
    public enum Payload: Sendable, Hashable {
        /// All content, by its hash.
        case signed
        /// No content: `UNSIGNED-PAYLOAD`, which S3 accepts over TLS.
        case unsigned
        /// All content, signed in chunks while it is sent (`aws-chunked`, S3 only), so that a one-shot body is covered
        /// too. Its length must be known. The chunk size is in bytes, at least 8 KiB.
        case chunked(size: Int)
    }

    /// The service, such as `execute-api`.
    public var service: String
    /// The region, such as `eu-west-1`; for version 4A the set of regions, such as `us-east-1,eu-*`.
    public var region: String
    /// The version, 4 or 4A. Defaults to 4.
    public var algorithm = Algorithm.hmacSHA256
    /// The place of the signature. Defaults to the field.
    public var location = Location.field
    /// The part of the content that the signature covers. Defaults to all, by its hash.
    public var payload = Payload.signed
    /// Whether presigned URLs cover the content. Defaults to `true`; S3's never do.
    public var presignsPayload = true
    /// Whether to send the payload's hash in `X-Amz-Content-Sha256`. Defaults to `false`; S3 requires it.
    public var statesPayloadHash = false
    /// Whether the path is signed without dot segments and repeated slashes. Defaults to `true`. For S3, they are part
    /// of an object's name, so the path is signed unchanged.
    public var normalizesPath = true
    /// Whether the path is percent-encoded a second time for signing. Defaults to `true`; `false` for S3.
    public var encodesPathTwice = true
    /// Whether the signature covers a session token; otherwise, the token is added after signing. Defaults to `true`.
    public var signsToken = true
    /// The covered fields. Defaults to all except those that change in transit. `host` is always covered.
    public var signedFields = SignedFields.all
    /// The names in the signature. Defaults to Amazon's.
    public var provider = Provider.aws

    let derivedKeys = DerivedKeys()

    /// Creates a scheme with the rules of all services except S3.
    /// - Parameters:
    ///   - service: The service, such as `execute-api`.
    ///   - region: The region, such as `eu-west-1`.
    public init(service: String, region: String) {
        self.service = service
        self.region = region
    }

    public var signatureFields: [String] {
        guard location == .field else { return [] }
        return [
            "Authorization", names.dateField, names.contentHashField, names.tokenField,
            names.regionSetField,
        ]
    }

    public func bodyHash(for request: HTTP.Request) -> HashAlgorithm? {
        guard effectivePayload == .signed, !request.headers.contains(names.contentHashField)
        else { return nil }
        return .sha256
    }

    public func coveredFields(of request: HTTP.Request) -> [String] {
        request.headers.map { $0.name.lowercased() }.filter(signedFields.contains)
    }

    public func validate() throws {
        let parts = [("service", service), ("region", region)]
        for (name, text) in parts where text.isEmpty || text.utf8.contains(where: isUnusable) {
            throw SigningError(
                .invalidScheme,
                "The \(name) \(HTTP.printable(text)) is empty or has a slash, a blank or a character "
                    + "beyond ASCII, which the scope of a SigV4 signature cannot hold."
            )
        }
        guard provider.isValid else {
            throw SigningError(
                .invalidScheme,
                "The provider's name cannot be part of a field's name (RFC 9110 section 5.6.2)."
            )
        }
        if case .query(let duration) = location {
            // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
            guard duration >= .seconds(1), duration <= .seconds(604_800) else {
                throw SigningError(
                    .invalidScheme,
                    "A presigned URL is valid for 1 s to 604800 s (seven days), not for \(duration.formattedSeconds)."
                )
            }
        }
        if case .chunked(let size) = payload {
            guard size >= 8192, algorithm == .hmacSHA256, location == .field else {
                throw SigningError(
                    .invalidScheme,
                    "Signed chunks are of 8192 bytes at least, and of a signature of version 4 in a "
                        + "field."
                )
            }
        }
    }

    private func isUnusable(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || !(0x21...0x7E ~= byte)
    }

    var effectivePayload: Payload {
        if location != .field, !presignsPayload { .unsigned } else { payload }
    }

    var names: Provider.Names { provider.names }

    var algorithmName: String {
        switch algorithm {
        case .hmacSHA256: names.hmacName
        case .ecdsaP256SHA256: names.ecdsaName
        }
    }
}

extension SignatureScheme where Self == AWSSignatureV4 {
    /// Returns AWS Signature Version 4 with the rules of all services except S3.
    /// - Parameters:
    ///   - service: The service, such as `execute-api`.
    ///   - region: The region, such as `eu-west-1`.
    public static func aws(service: String, region: String) -> AWSSignatureV4 {
        AWSSignatureV4(service: service, region: region)
    }

    /// Returns AWS Signature Version 4 with the rules of S3: the path is signed unchanged, the payload's hash is sent,
    /// and presigned URLs do not cover the content.
    /// - Parameters:
    ///   - region: The region, such as `eu-west-1`.
    ///   - payload: The covered part of the content. Defaults to all, by its hash.
    public static func s3(
        region: String,
        payload: AWSSignatureV4.Payload = .signed
    ) -> AWSSignatureV4 {
        var scheme = AWSSignatureV4(service: "s3", region: region)
        scheme.payload = payload
        scheme.presignsPayload = false
        scheme.statesPayloadHash = true
        scheme.normalizesPath = false
        scheme.encodesPathTwice = false
        return scheme
    }
}
