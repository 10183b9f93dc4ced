public import InterceptorKit
import InterceptorKitSigning

extension AWSSignatureV4 {
    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var unsignedRequest = try UnsignedRequest(self, request, context)
        try unsignedRequest.sign(context)
        return unsignedRequest.request
    }

    /// Returns the string that a request's signature is computed over.
    ///
    /// With `SignatureDoesNotMatch`, AWS includes the string that it expected; compare the two.
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

    /// Returns a URL that allows anyone to send the request for a limited time.
    /// - Parameters:
    /// - request: The request; its header fields, if any, are covered and must be sent too.
    ///   - context: The key and the date.
    /// - duration: The validity of the URL, from 1 s to seven days.
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

    /// Returns the signing key for one day, which you can give to others instead of the secret.
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

    /// Returns a signature in hexadecimal digits.
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

    /// Returns the HMAC of a message under the day's derived key.
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
