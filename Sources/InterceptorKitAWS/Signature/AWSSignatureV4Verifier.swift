public import InterceptorKit
public import InterceptorKitSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies AWS Signature Version 4 and 4A, for servers: in the field `Authorization`, in the query of a presigned URL,
/// and of content in signed chunks.
///
/// ```swift
/// let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: keys)
/// guard try await verifier.isGenuine(request, at: Date()) else { return 403 }
/// ```
///
/// Without `X-Amz-Date`, the request's `Date` counts, in either form, if the signature covers it.
///
/// The scheme is the signers' scheme: only its service and region are accepted, and its payload says which content may
/// be left uncovered. Response times do not reveal whether a key exists, unless the key store's own time does.
public struct AWSSignatureV4Verifier: Sendable {
    let scheme: AWSSignatureV4
    let keys: any VerificationKeyStore
    let rules: AWSRules

    /// Creates a verifier.
    /// - Parameters:
    ///   - scheme: The scheme to verify. For version 4A, its region is the server's own, which a signature's set of
    ///     regions must contain.
    ///   - keys: The store of keys by access key id: secrets for version 4, public keys on P-256 for 4A. A request must
    ///     carry its key's `VerificationKey.token`.
    ///   - tolerance: The largest difference between a signature's time and the current time. Defaults to 300 s, as for
    ///     most AWS services; S3 uses 900 s.
    ///   - maximumLifetime: The longest validity of presigned URLs. Defaults to seven days; zero accepts none.
    ///   - checksContent: Whether to read a body whose hash the request states, and compare it. Defaults to `true`; the
    ///     body must then be in memory or replayable. If `false`, a body in memory is still compared; any other is
    ///     compared while it is read, and ends with an `HTTP.ContentError` if it was changed. Content in signed chunks
    ///     is always verified while it is read.
    public init(
        _ scheme: AWSSignatureV4,
        keys: some VerificationKeyStore,
        tolerance: Duration = .seconds(300),
        maximumLifetime: Duration = .seconds(604_800),
        checksContent: Bool = true
    ) {
        self.scheme = scheme
        self.keys = keys
        rules = AWSRules(
            scheme: scheme,
            tolerance: tolerance.inSeconds,
            maximumLifetime: maximumLifetime.inSeconds,
            checksContent: checksContent
        )
    }

    /// Returns whether a request has an accepted signature. Don't tell the sender more than this.
    /// - Throws: The errors of the key store and the body.
    public func isGenuine(_ request: HTTP.Request, at date: Date) async throws -> Bool {
        do {
            _ = try await verify(request, at: date)
            return true
        } catch is SignatureVerificationError {
            return false
        }
    }

    /// Verifies a request's signature.
    /// - Parameters:
    ///   - request: The request as received, with its complete URL exactly as sent.
    ///   - date: The current date.
    /// - Throws: `SignatureVerificationError` with the reason, for logs; the errors of the key store and the body.
    public func verify(
        _ request: HTTP.Request,
        at date: Date
    ) async throws -> VerifiedAWSSignature {
        if let problem = request.headers.problem {
            throw SignatureVerificationError.malformed("\(problem)")
        }
        let parsed = try AWSSignatureV4.ParsedSignature(request, scheme)
        try rules.check(parsed, at: date)
        let payload = try await rules.payload(of: request, parsed)
        let text = try stringToSign(request, parsed, payload)
        // A missing key takes as long as an existing one.
        let known = try await keys.verificationKey(id: parsed.keyID)
        let isRight = isValid(parsed, text, with: known ?? Self.placeholderKey)
        guard let known, isRight, rules.hasToken(of: known, parsed) else {
            throw SignatureVerificationError(
                known == nil ? .unknownKey : .mismatch,
                message: known == nil
                    ? "There is no key \(HTTP.printable(parsed.keyID))."
                    : "The signature does not match this request and the key "
                        + "\(HTTP.printable(parsed.keyID)), or its session token differs."
            )
        }
        try await rules.checkContent(of: request, payload)
        return VerifiedAWSSignature(
            parsed,
            content: try content(of: request, parsed, payload, known)
        )
    }

    private func stringToSign(
        _ request: HTTP.Request,
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ payload: String
    ) throws(SignatureVerificationError) -> [UInt8] {
        let target: CanonicalTarget
        do {
            target = try CanonicalTarget(request.url)
        } catch {
            throw SignatureVerificationError.malformed("The request's URL is not complete.")
        }
        let names = scheme.names
        let texts = AWSSignatureV4.Texts(
            scheme: scheme,
            method: request.method,
            target: target,
            fields: try rules.fields(of: request, parsed, target),
            payload: .stated(payload),
            time: parsed.time,
            uncoveredParameters: [names.signatureParameter]
                + (scheme.signsToken ? [] : [names.tokenField])
        )
        var text = CanonicalWriter(capacity: 1024)
        texts.writeStringToSign(to: &text)
        return text.bytes
    }

    private static let placeholderKey = VerificationKey(
        id: "",
        secret: Array(repeating: 0, count: 40)
    )

    private func isValid(
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ text: [UInt8],
        with key: VerificationKey
    ) -> Bool {
        switch scheme.algorithm {
        case .hmacSHA256:
            guard let secret = key.secret else { return false }
            let code = scheme.code(of: text, parsed.time, secret: secret)
            let digits = code.hexadecimal
            return !secret.isEmpty && ConstantTime.isEqual(digits.utf8, parsed.signature.utf8)
        case .ecdsaP256SHA256:
            guard key.algorithm == .ecdsaP256SHA256,
                let encoded = [UInt8](hexadecimal: parsed.signature.utf8),
                let signature = ECDSASignature(der: encoded)
            else { return false }
            return key.isValid(signature.bytes, for: text)
        }
    }

    private func content(
        of request: HTTP.Request,
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ payload: String,
        _ key: VerificationKey
    ) throws -> HTTP.Body {
        guard payload == scheme.streamingPayload, let secret = key.secret else {
            return try rules.readContent(of: request, payload)
        }
        let digits = request.headers[scheme.names.decodedLengthField] ?? ""
        guard 1...18 ~= digits.utf8.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let length = Int(digits)
        else {
            throw SignatureVerificationError.malformed(
                "The request does not say how long its content is without the chunks' frames."
            )
        }
        let context = SigningContext(
            key: SigningKey(id: key.id, secret: secret.bytes),
            freshness: SignatureFreshness(
                date: Date(timeIntervalSince1970: Double(parsed.time.seconds)),
                nonce: ""
            )
        )
        let signer = try AWSSignatureV4.ChunkSigner(scheme, seed: parsed.signature, context)
        let body = request.body
        return body.isReplayable
            ? .replayable(length: length) { VerifiedChunks(body, length, signer) }
            : .oneShot(length: length, VerifiedChunks(body, length, signer))
    }
}

/// An accepted SigV4 signature.
public struct VerifiedAWSSignature: Sendable {
    /// The access key's id.
    public let keyID: String
    /// The time of the signature.
    public let date: Date
    /// The expiry of a presigned URL; `nil` for a signature in the field `Authorization`.
    public let expiry: Date?
    /// The names of the covered header fields, in lower case. Don't trust other fields.
    public let coveredFields: [String]
    /// The content. Signed chunks are returned without their framing and verified while they are read. If reading ends
    /// with a `SignatureVerificationError`, the message was cut or changed: don't trust the earlier chunks either.
    public let content: HTTP.Body

    init(_ parsed: AWSSignatureV4.ParsedSignature, content: HTTP.Body) {
        keyID = parsed.keyID
        date = Date(timeIntervalSince1970: Double(parsed.time.seconds))
        expiry = parsed.lifetime.map {
            Date(timeIntervalSince1970: Double(parsed.time.seconds) + Double($0))
        }
        coveredFields = parsed.coveredFields.split(at: ";").map(String.init)
        self.content = content
    }
}
