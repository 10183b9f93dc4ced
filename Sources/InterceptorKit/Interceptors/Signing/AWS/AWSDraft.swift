extension AWSSignatureV4 {
    /// A request on its way to being signed: with all that its signature covers, but without that.
    struct Draft {
        let texts: Texts
        /// Whether the request said what its payload's hash is.
        let statesHash: Bool
        private let keyID: String
        private let token: String?
        var request: HTTP.Request

        private var scheme: AWSSignatureV4 { texts.scheme }

        init(
            _ scheme: AWSSignatureV4,
            _ request: HTTP.Request,
            _ context: SigningContext
        ) throws {
            try Self.check(request, context.key)
            let time = try SigningTime(context.date)
            let payload = try scheme.payloadHash(of: request, context)
            statesHash = request.headers.contains(scheme.names.contentHashField)
            keyID = context.key.id
            token = context.key.token
            var target = try CanonicalTarget(request.url)
            var request = request
            if scheme.location == .field {
                scheme.addFields(to: &request, time, token, payload)
            }
            let fields = CanonicalFields(of: request, scheme.signedFields, host: target.authority)
            if case .query(let duration) = scheme.location {
                let parameters = scheme.parameters(keyID, time, fields, token, duration)
                request.url = request.url.appending(query: parameters)
                target = try CanonicalTarget(request.url)
            }
            texts = Texts(
                scheme: scheme,
                method: request.method,
                target: target,
                fields: fields,
                payload: payload,
                time: time
            )
            self.request = request
        }

        private static func check(_ request: HTTP.Request, _ key: SigningKey) throws {
            try key.validate()
            if let problem = request.headers.problem { throw problem }
            guard !key.id.utf8.contains(UInt8(ascii: "/")) else {
                throw SigningError(
                    .invalidKeyID,
                    "The key id \(HTTP.printable(key.id)) has a slash, which a SigV4 credential "
                        + "cannot hold."
                )
            }
        }

        /// Adds the signature, and a token that it does not cover.
        mutating func place(_ signature: String) {
            let names = scheme.names
            let unsignedToken = scheme.signsToken ? nil : token
            switch scheme.location {
            case .field:
                var value = CanonicalText(capacity: 256)
                value.append(scheme.algorithmName)
                value.append(" Credential=")
                scheme.write(credential: keyID, texts.time, to: &value)
                value.append(", SignedHeaders=")
                texts.fields.writeNames(to: &value)
                value.append(", Signature=")
                value.append(signature)
                request.headers["Authorization"] = value.string
                if let unsignedToken { request.headers[names.tokenField] = unsignedToken }
            case .query:
                var pairs = [(names.signatureParameter, signature)]
                if let unsignedToken { pairs.append((names.tokenField, unsignedToken)) }
                request.url = request.url.appending(query: pairs)
            }
        }
    }

    private func write(credential keyID: String, _ time: SigningTime, to text: inout CanonicalText)
    {
        text.append(keyID)
        text.append("/" as Unicode.Scalar)
        write(scope: time, to: &text)
    }

    private func addFields(
        to request: inout HTTP.Request,
        _ time: SigningTime,
        _ token: String?,
        _ payload: PayloadHash
    ) {
        let statesHash = request.headers.contains(names.contentHashField)
        request.headers[names.dateField] = time.basicText
        if !statesHash, statesPayloadHash || effectivePayload != .signed {
            request.headers[names.contentHashField] = payload.text
        }
        if let token { request.headers[names.tokenField] = signsToken ? token : nil }
        if algorithm == .ecdsaP256SHA256 { request.headers[names.regionSetField] = region }
        if !statesHash, case .chunked(let size) = effectivePayload,
            let length = request.body.length, !request.headers.contains(names.decodedLengthField)
        {
            let coding = request.headers["Content-Encoding"].map { "aws-chunked,\($0)" }
            request.headers["Content-Encoding"] = coding ?? "aws-chunked"
            request.headers[names.decodedLengthField] = "\(length)"
            request.headers["Content-Length"] = "\(ChunkSigner.length(of: length, by: size))"
        }
    }

    /// What stands in the query of a presigned URL before its signature.
    private func parameters(
        _ keyID: String,
        _ time: SigningTime,
        _ fields: CanonicalFields,
        _ token: String?,
        _ duration: Duration
    ) -> [(name: String, value: String)] {
        var credential = CanonicalText(capacity: 96)
        write(credential: keyID, time, to: &credential)
        var covered = CanonicalText(capacity: 64)
        fields.writeNames(to: &covered)
        var pairs = [
            (names.algorithmParameter, algorithmName),
            (names.credentialParameter, credential.string),
            (names.dateField, time.basicText),
            (names.signedFieldsParameter, covered.string),
            (names.expiresField, "\(duration.components.seconds)"),
        ]
        if let token, signsToken { pairs.append((names.tokenField, token)) }
        if algorithm == .ecdsaP256SHA256 { pairs.append((names.regionSetField, region)) }
        return pairs
    }
}
