public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies AWS Signature Version 4 and 4A, for servers: in the field `Authorization`, in the query of
/// a presigned URL, and of content in signed chunks.
///
/// ```swift
/// let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: keys)
/// guard try await verifier.isGenuine(request, at: Date()) else { return 403 }
/// ```
///
/// A request without `X-Amz-Date` is of the time that its `Date` says, in either form, if the signature
/// covers that.
///
/// The scheme is that of the signers: its service and region are the only ones accepted, and its payload
/// is what they may leave uncovered. Whether a key exists cannot be told from the time a response takes,
/// as far as the key store's own does not tell.
public struct AWSSignatureV4Verifier: Sendable {
    let scheme: AWSSignatureV4
    let keys: any VerificationKeyStore
    let rules: AWSRules

    /// Creates a verifier.
    /// - Parameters:
    ///   - scheme: What is verified. For version 4A its region is the server's own, which a signature's
    ///     set of regions has to name.
    ///   - keys: Where keys come from, by the access key's id: secrets for version 4, public keys on
    ///     P-256 for 4A. A key's ``VerificationKey/token`` has to come with the request.
    ///   - tolerance: How far a signature's time may be from the present. Defaults to 300 s, as with
    ///     most AWS services; S3 takes 900.
    ///   - maximumLifetime: How long presigned URLs may be valid. Defaults to seven days, and zero
    ///     accepts none.
    ///   - checksContent: Whether a body whose hash the request states is read and compared. Defaults
    ///     to `true`; the body has to be in memory or replayable then. Content in signed chunks is
    ///     verified while it is read in any case.
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

    /// Whether a request carries a signature that is accepted: all that the sender may be told.
    /// - Throws: What the key store and the body throw.
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
    ///   - request: As received, with a complete URL as it stood on the wire.
    ///   - date: The present.
    /// - Throws: ``SignatureVerificationError`` with the reason, for logs; what the key store and the body throw.
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
        // A key that does not exist takes as long as one that does.
        let known = try await keys.verificationKey(id: parsed.keyID)
        let isRight = isValid(parsed, text, with: known ?? Self.nobody)
        guard let known, isRight, rules.hasToken(of: known, parsed) else {
            throw SignatureVerificationError(
                known == nil ? .unknownKey : .mismatch,
                nil,
                known == nil
                    ? "There is no key \(HTTP.printable(parsed.keyID))."
                    : "The signature is not one of this request with the key "
                        + "\(HTTP.printable(parsed.keyID)), or its session token is another."
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

    private static let nobody = VerificationKey(id: "", secret: Array(repeating: 0, count: 40))

    private func isValid(
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ text: [UInt8],
        with key: VerificationKey
    ) -> Bool {
        switch (scheme.algorithm, key.material) {
        case (.hmacSHA256, .secret(let secret)):
            let code = scheme.code(of: text, parsed.time, secret: secret)
            let digits = code.hexadecimal
            return !secret.isEmpty && ConstantTime.isEqual(digits.utf8, parsed.signature.utf8)
        case (.ecdsaP256SHA256, .verifier(let verifier)):
            guard verifier.algorithm == .ecdsaP256SHA256,
                let encoded = [UInt8](hexadecimal: parsed.signature.utf8),
                let signature = ECDSASignature(der: encoded)
            else { return false }
            return verifier.isValid(signature.bytes, for: text)
        default:
            return false
        }
    }

    private func content(
        of request: HTTP.Request,
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ payload: String,
        _ key: VerificationKey
    ) throws -> HTTP.Body {
        guard payload == scheme.streamingPayload,
            case .secret(let secret) = key.material
        else { return request.body }
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

/// A SigV4 signature that was accepted.
public struct VerifiedAWSSignature: Sendable {
    /// The access key's id.
    public let keyID: String
    /// When it was made.
    public let date: Date
    /// Until when a presigned URL is valid; `nil` for a signature in the field `Authorization`.
    public let expiry: Date?
    /// The names of the header fields it covers, in lower case. Rely on no others.
    public let coveredFields: [String]
    /// The content. That of signed chunks is without their frames and verified while it is read, where
    /// a ``SignatureVerificationError`` ends it; what came before belongs to a message that was cut or changed.
    public let content: HTTP.Body

    init(_ parsed: AWSSignatureV4.ParsedSignature, content: HTTP.Body) {
        keyID = parsed.keyID
        date = Date(timeIntervalSince1970: Double(parsed.time.seconds))
        expiry = parsed.lifetime.map {
            Date(timeIntervalSince1970: Double(parsed.time.seconds + $0))
        }
        coveredFields = parsed.coveredFields.split(separator: ";").map(String.init)
        self.content = content
    }
}
