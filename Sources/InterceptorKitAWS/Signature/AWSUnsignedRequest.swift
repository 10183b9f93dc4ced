import InterceptorKit
import InterceptorKitSigning

extension AWSSignatureV4 {
    /// A request with all covered parts, but without its signature.
    struct UnsignedRequest {
        let texts: Texts
        /// Whether the request itself states its payload's hash.
        let statesHash: Bool
        private let keyID: String
        private let token: String?
        private(set) var request: HTTP.Request
        // One buffer for all intermediate texts.
        private var text: CanonicalWriter

        private var scheme: AWSSignatureV4 { texts.scheme }

        init(
            _ scheme: AWSSignatureV4,
            _ request: HTTP.Request,
            _ context: SigningContext
        ) throws {
            try Self.check(request, context.key)
            let time = try SigningTimestamp(context.date)
            let payload = try scheme.payloadHash(of: request, context)
            statesHash = request.headers.contains(scheme.names.contentHashField)
            keyID = context.key.id
            token = context.key.token
            var target = try CanonicalTarget(request.url)
            var text = CanonicalWriter(capacity: 1024)
            var request = request
            if scheme.location == .field {
                text.appendBasic(time)
                // Date, hash, token and signature.
                request.headers.reserveCapacity(request.headers.count + 4)
                scheme.addFields(to: &request, date: text.string, token, payload)
            }
            // The signer keeps the URL's origin.
            let host = request.url.authority ?? target.authority
            let fields = CanonicalFields(of: request, scheme.signedFields, host: host)
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
            self.text = text
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

        /// Adds the signature, and signs the content's chunks if required.
        mutating func sign(_ context: SigningContext) throws {
            texts.writeStringToSign(to: &text)
            let signature = try scheme.signature(
                of: text.bytes,
                texts.time,
                context.key
            )
            place(signature)
            if !statesHash, case .chunked(let size) = scheme.effectivePayload {
                let chunks = try ChunkSigner(scheme, seed: signature, context)
                try request.signChunks(of: size, chunks)
            }
        }

        /// Adds the signature, and a session token that it does not cover.
        private mutating func place(_ signature: String) {
            let names = scheme.names
            let unsignedToken = scheme.signsToken ? nil : token
            switch scheme.location {
            case .field:
                text.clear()
                text.append(scheme.algorithmName)
                text.append(" Credential=")
                scheme.write(credential: keyID, texts.time, to: &text)
                text.append(", SignedHeaders=")
                texts.fields.writeNames(to: &text)
                text.append(", Signature=")
                text.append(signature)
                request.headers["Authorization"] = text.string
                if let unsignedToken { request.headers[names.tokenField] = unsignedToken }
            case .query:
                var pairs: HTTP.Parameters = [names.signatureParameter: signature]
                if let unsignedToken { pairs.append(name: names.tokenField, value: unsignedToken) }
                request.url = request.url.appending(query: pairs)
            }
        }
    }

    private func write(
        credential keyID: String,
        _ time: SigningTimestamp,
        to text: inout CanonicalWriter
    ) {
        text.append(keyID)
        text.append("/" as Unicode.Scalar)
        write(scope: time, to: &text)
    }

    private func addFields(
        to request: inout HTTP.Request,
        date: String,
        _ token: String?,
        _ payload: PayloadHash
    ) {
        let statesHash = request.headers.contains(names.contentHashField)
        request.headers[names.dateField] = date
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

    /// Returns the query parameters of a presigned URL before its signature.
    private func parameters(
        _ keyID: String,
        _ time: SigningTimestamp,
        _ fields: CanonicalFields,
        _ token: String?,
        _ duration: Duration
    ) -> HTTP.Parameters {
        var credential = CanonicalWriter(capacity: 96)
        write(credential: keyID, time, to: &credential)
        var covered = CanonicalWriter(capacity: 64)
        fields.writeNames(to: &covered)
        var pairs: HTTP.Parameters = [
            names.algorithmParameter: algorithmName,
            names.credentialParameter: credential.string,
            names.dateField: time.basicText,
            names.signedFieldsParameter: covered.string,
            names.expiresField: "\(duration.wholeSeconds)",
        ]
        if let token, signsToken { pairs.append(name: names.tokenField, value: token) }
        if algorithm == .ecdsaP256SHA256 {
            pairs.append(name: names.regionSetField, value: region)
        }
        return pairs
    }
}
