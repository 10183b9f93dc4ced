public import InterceptorKit
import InterceptorKitSigning

extension AWSSignatureV4 {
    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var unsignedRequest = try UnsignedRequest(self, request, context)
        try unsignedRequest.sign(context)
        return unsignedRequest.request
    }

    /// Returns the text that a request's signature is made over.
    ///
    /// When AWS responds with `SignatureDoesNotMatch`, it includes the text that it expected; compare the
    /// two.
    /// - Throws: The errors of ``sign(_:_:)``.
    public func explain(
        _ request: HTTP.Request,
        _ context: SigningContext
    ) throws -> SignatureExplanation {
        let texts = try UnsignedRequest(self, request, context).texts
        var canonicalRequest = CanonicalWriter(capacity: 1024)
        texts.writeCanonicalRequest(to: &canonicalRequest)
        var stringToSign = CanonicalWriter(capacity: 1024)
        texts.writeStringToSign(to: &stringToSign)
        return SignatureExplanation(
            canonicalRequest: canonicalRequest.string,
            stringToSign: stringToSign.string
        )
    }

    /// Returns a URL with which anyone may send the request for a limited time.
    /// - Parameters:
    ///   - request: The request; its header fields, if any, are covered and must be sent with it.
    ///   - context: The key and the date.
    ///   - duration: The time for which the URL is valid, 1 s to seven days.
    /// - Throws: `SigningError`, `HTTP.RequestError`.
    public func presignedURL(
        for request: HTTP.Request,
        _ context: SigningContext,
        validFor duration: Duration
    ) throws -> HTTP.URL {
        var scheme = self
        scheme.location = .query(validFor: duration)
        try scheme.validate()
        return try scheme.sign(request, context).url
    }

    /// Returns the key for one day's signatures, so that you can give it to others instead of the secret.
    /// - Throws: `SigningError` if the key isn't a secret.
    public func derivedKey(from key: SigningKey, _ freshness: SignatureFreshness) throws
        -> HashAlgorithm.Digest
    {
        let time = try SigningTimestamp(freshness.date)
        let secret = try key.secret
        return DerivedKeys.derive(keyScope(time), time, secret: secret.bytes)
    }

    func keyScope(_ time: SigningTimestamp) -> DerivedKeys.Scope {
        DerivedKeys.Scope(
            day: time.dayNumber,
            prefix: names.keyPrefix,
            region: region,
            service: service,
            terminator: names.terminator
        )
    }

    /// A signature in hexadecimal digits.
    func signature(
        of message: [UInt8],
        _ time: SigningTimestamp,
        _ key: SigningKey
    ) throws -> String {
        switch algorithm {
        case .hmacSHA256:
            return code(of: message, time, secret: try key.secret).hexadecimal
        case .ecdsaP256SHA256:
            let signer = try key.signer
            guard signer.algorithm == .ecdsaP256SHA256 else {
                throw SigningError(
                    .unsuitableKey,
                    "The key \(HTTP.printable(key.id)) signs with \(signer.algorithm), and SigV4A "
                        + "with ecdsa-p256-sha256. Give a key on P-256."
                )
            }
            return try ECDSASignature(bytes: signer.signature(of: message)).der.hexadecimal
        }
    }

    /// The HMAC of a text under the key derived for a day.
    func code(
        of message: [UInt8],
        _ time: SigningTimestamp,
        secret: SharedSecret
    ) -> HashAlgorithm.Digest {
        var code = derivedKeys.code(for: keyScope(time), time, secret: secret)
        code.update(message)
        return code.finalize()
    }
}
