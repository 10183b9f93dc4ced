public import InterceptorKit

extension HTTP.Request {
    /// Returns the request with one more signature (RFC 9421 section 3.1). `SignInterceptor` with a
    /// ``MessageSignatureScheme`` does this for each attempt.
    /// - Parameters:
    ///   - parameters: The covered components and the parameters, exactly as sent.
    ///   - label: The signature's label within the message. Defaults to `sig`.
    ///   - key: The key. A secret signs with HMAC-SHA256, any other key with its signer's algorithm.
    /// - Throws: `SigningError`, and the signer's errors.
    public func signed(
        _ parameters: SignatureParameters,
        label: String = "sig",
        with key: SigningKey
    ) throws -> HTTP.Request {
        var signed = self
        let base = try SignatureBase(of: .request(self), parameters)
        let signature = try key.messageSignature(of: base.bytes)
        try signed.headers.add(signature, to: parameters, written: base.input, label: label)
        return signed
    }
}

extension HTTP.Response {
    /// Returns the response with one more signature (RFC 9421 section 3.1), for servers.
    /// - Parameters:
    ///   - parameters: The covered components and the parameters, exactly as sent.
    ///   - label: The signature's label within the message. Defaults to `sig`.
    ///   - key: The key. A secret signs with HMAC-SHA256, any other key with its signer's algorithm.
    ///   - request: The request that led to the response. Defaults to the response's own `request`.
    /// - Throws: `SigningError`, and the signer's errors.
    public func signed(
        _ parameters: SignatureParameters,
        label: String = "sig",
        with key: SigningKey,
        answering request: HTTP.Request? = nil
    ) throws -> HTTP.Response {
        var signed = self
        let base = try SignatureBase(of: .response(self, to: request), parameters)
        let signature = try key.messageSignature(of: base.bytes)
        try signed.headers.add(signature, to: parameters, written: base.input, label: label)
        return signed
    }
}

extension SigningKey {
    /// The algorithm of the key's RFC 9421 signatures.
    var messageAlgorithm: SignatureAlgorithm {
        // `isSecret` comes first because creating the error of `signer` is slow.
        isSecret ? .hmacSHA256 : (try? signer)?.algorithm ?? .hmacSHA256
    }

    fileprivate func messageSignature(of base: [UInt8]) throws -> [UInt8] {
        if isSecret { return Array(try authenticationCode(of: base)) }
        return try signer.signature(of: base)
    }
}

extension HTTP.Headers {
    fileprivate mutating func add(
        _ signature: [UInt8],
        to parameters: SignatureParameters,
        written input: ArraySlice<UInt8>,
        label: String
    ) throws(SigningError) {
        guard contains("Signature-Input") || contains("Signature") else {
            guard HTTP.StructuredField.isKey(label) else {
                throw .malformedParameters("The label is not a key of a structured field.")
            }
            var text = CanonicalWriter(capacity: 384)
            text.append(label)
            text.append("=" as Unicode.Scalar)
            text.append(contentsOf: input)
            reserveCapacity(count + 2)
            append(name: "Signature-Input", value: text.string)
            text.clear()
            text.append(label)
            text.append("=:")
            text.appendBase64(signature)
            text.append(":" as Unicode.Scalar)
            append(name: "Signature", value: text.string)
            return
        }
        do {
            var inputs = try structuredDictionary("Signature-Input") ?? [:]
            var signatures = try structuredDictionary("Signature") ?? [:]
            guard inputs[label] == nil, signatures[label] == nil else {
                throw SigningError(
                    .labelInUse,
                    "The message has a signature labelled \(HTTP.printable(label)) already. Remove it, "
                        + "or use another label."
                )
            }
            inputs[label] = .innerList(parameters.innerList)
            signatures[label] = .init(.bytes(signature))
            self["Signature-Input"] = try inputs.serialized()
            self["Signature"] = try signatures.serialized()
        } catch let error as SigningError {
            throw error
        } catch {
            throw .malformedParameters("\(error)")
        }
    }
}
