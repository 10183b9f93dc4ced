extension AWSSignatureV4 {
    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var draft = try Draft(self, request, context)
        let signature = try signature(of: draft.stringToSign.bytes, draft.time, context.key)
        draft.place(signature)
        if !draft.statesHash, case .chunked(let size) = effectivePayload {
            try draft.request.signChunks(of: size, ChunkSigner(self, seed: signature, context))
        }
        return draft.request
    }

    /// What a signature of a request is made over.
    ///
    /// When AWS answers `SignatureDoesNotMatch`, it says what it expected; compare.
    /// - Throws: What ``sign(_:_:)`` throws.
    public func explain(
        _ request: HTTP.Request,
        _ context: SigningContext
    ) throws -> SignatureExplanation {
        let draft = try Draft(self, request, context)
        return SignatureExplanation(
            canonicalRequest: draft.canonicalRequest.string,
            stringToSign: draft.stringToSign.string
        )
    }

    /// A URL that anyone may send the request to for a while.
    /// - Parameters:
    ///   - request: Its fields, if any, are covered and must be sent along.
    ///   - context: The key and the date.
    ///   - duration: For how long, 1 s to seven days.
    /// - Throws: ``SigningError``, `HTTP.RequestError`.
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

    /// The key that signatures of a day are made with, for those who hand it to others instead of the
    /// secret.
    /// - Throws: ``SigningError`` if the key is no secret.
    public func derivedKey(from key: SigningKey, _ freshness: SignatureFreshness) throws
        -> HashAlgorithm.Digest
    {
        let time = try SigningTime(freshness.date)
        return DerivedKeys.derive(keyScope(time), time, secret: try key.secret)
    }

    func keyScope(_ time: SigningTime) -> DerivedKeys.Scope {
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
        _ time: SigningTime,
        _ key: SigningKey
    ) throws -> String {
        switch algorithm {
        case .hmacSHA256:
            var code = derivedKeys.code(for: keyScope(time), time, secret: try key.secret)
            code.update(message)
            return code.finalize().hexadecimal
        case .ecdsaP256SHA256:
            let signer = try key.signer
            guard signer.algorithm == .ecdsaP256SHA256 else {
                throw SigningError(
                    .unsuitableKey,
                    "The key \(HTTP.printable(key.id)) signs with \(signer.algorithm), and SigV4A "
                        + "with ecdsa-p256-sha256. Give a key on P-256."
                )
            }
            return try DER.signature(of: signer.signature(of: message)).hexadecimal
        }
    }

    func write(scope time: SigningTime, to text: inout CanonicalText) {
        text.appendDay(time)
        if algorithm == .hmacSHA256 {
            text.append("/" as Unicode.Scalar)
            text.append(region)
        }
        text.append("/" as Unicode.Scalar)
        text.append(service)
        text.append("/" as Unicode.Scalar)
        text.append(names.terminator)
    }
}

/// Distinguished encoding (ITU-T X.690), so much of it as a signature needs.
private enum DER {
    /// An ECDSA signature of `r` and `s`, half of the bytes each, as a sequence of two integers
    /// (RFC 3279 section 2.2.3).
    static func signature(of bytes: [UInt8]) throws(SigningError) -> [UInt8] {
        guard bytes.count == 64 else {
            throw SigningError(
                .unsuitableKey,
                "A signature on P-256 has 64 bytes, and the key's signer made one of \(bytes.count)."
            )
        }
        let content = integer(bytes[..<32]) + integer(bytes[32...])
        return [0x30, UInt8(content.count)] + content
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
