extension AWSSignatureV4 {
    /// A request on its way to being signed, with the texts that its signature is made over.
    struct Draft {
        private let scheme: AWSSignatureV4
        private let keyID: String
        private let token: String?
        private let payloadHash: String
        private let fields: CanonicalFields
        /// Whether the request said what its payload's hash is.
        let statesHash: Bool
        let time: SigningTime
        /// As in `20150830T123600Z`.
        private let stamp: String
        /// As in `20150830/us-east-1/service/aws4_request`.
        private let scope: [UInt8]
        private(set) var canonicalRequest = CanonicalText(capacity: 1024)
        private(set) var stringToSign = CanonicalText(capacity: 192)
        var request: HTTP.Request

        init(
            _ scheme: AWSSignatureV4,
            _ request: HTTP.Request,
            _ context: SigningContext
        ) throws {
            try Self.check(request, context.key)
            var target = try CanonicalTarget(request.url)
            self.scheme = scheme
            keyID = context.key.id
            token = context.key.token
            time = try SigningTime(context.date)
            var stamp = CanonicalText(capacity: 16)
            stamp.appendBasic(time)
            self.stamp = stamp.string
            var scope = CanonicalText(capacity: 64)
            scheme.write(scope: time, to: &scope)
            self.scope = scope.bytes
            let stated = request.headers[scheme.names.contentHashField]
            statesHash = stated != nil
            payloadHash = try stated ?? scheme.payloadHash(of: request, context)
            self.request = request
            if scheme.location == .field {
                scheme.addFields(to: &self.request, self.stamp, token, payloadHash)
            }
            fields = CanonicalFields(of: self.request, scheme.signedFields, host: target.authority)
            if case .query(let duration) = scheme.location {
                addParameters(validFor: duration)
                target = try CanonicalTarget(self.request.url)
            }
            writeCanonicalRequest(target)
            writeStringToSign()
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

        private mutating func addParameters(validFor duration: Duration) {
            let names = scheme.names
            var credential = CanonicalText(capacity: 96)
            writeCredential(to: &credential)
            var covered = CanonicalText(capacity: 64)
            fields.writeNames(to: &covered)
            var pairs = [
                ("\(names.prefix)-Algorithm", scheme.algorithmName),
                ("\(names.prefix)-Credential", credential.string),
                (names.dateField, stamp),
                ("\(names.prefix)-SignedHeaders", covered.string),
                (names.expiresField, "\(duration.components.seconds)"),
            ]
            if let token, scheme.signsToken { pairs.append((names.tokenField, token)) }
            if scheme.algorithm == .ecdsaP256SHA256 {
                pairs.append((names.regionSetField, scheme.region))
            }
            request.url = request.url.appending(query: pairs)
        }

        private mutating func writeCanonicalRequest(_ target: CanonicalTarget) {
            canonicalRequest.append(request.method.rawValue)
            canonicalRequest.append("\n" as Unicode.Scalar)
            canonicalRequest.appendPath(
                scheme.normalizesPath ? CanonicalText.normalizedPath(target.path) : target.path,
                isEncodedTwice: scheme.encodesPathTwice
            )
            canonicalRequest.append("\n" as Unicode.Scalar)
            if !target.query.isEmpty { CanonicalQuery(target.query).write(to: &canonicalRequest) }
            canonicalRequest.append("\n" as Unicode.Scalar)
            fields.writeLines(to: &canonicalRequest)
            canonicalRequest.append("\n" as Unicode.Scalar)
            fields.writeNames(to: &canonicalRequest)
            canonicalRequest.append("\n" as Unicode.Scalar)
            canonicalRequest.append(payloadHash)
        }

        private mutating func writeStringToSign() {
            stringToSign.append(scheme.algorithmName)
            stringToSign.append("\n" as Unicode.Scalar)
            stringToSign.append(stamp)
            stringToSign.append("\n" as Unicode.Scalar)
            stringToSign.append(contentsOf: scope)
            stringToSign.append("\n" as Unicode.Scalar)
            stringToSign.appendHexadecimal(HashAlgorithm.sha256.hash(canonicalRequest.bytes))
        }

        private func writeCredential(to text: inout CanonicalText) {
            text.append(keyID)
            text.append("/" as Unicode.Scalar)
            text.append(contentsOf: scope)
        }

        /// Adds the signature, and a token that it does not cover.
        mutating func place(_ signature: String) {
            let names = scheme.names
            switch scheme.location {
            case .field:
                var value = CanonicalText(capacity: 256)
                value.append(scheme.algorithmName)
                value.append(" Credential=")
                writeCredential(to: &value)
                value.append(", SignedHeaders=")
                fields.writeNames(to: &value)
                value.append(", Signature=")
                value.append(signature)
                request.headers["Authorization"] = value.string
                if let token, !scheme.signsToken { request.headers[names.tokenField] = token }
            case .query:
                var pairs = [("\(names.prefix)-Signature", signature)]
                if let token, !scheme.signsToken { pairs.append((names.tokenField, token)) }
                request.url = request.url.appending(query: pairs)
            }
        }
    }

    private func payloadHash(
        of request: HTTP.Request,
        _ context: SigningContext
    ) throws -> String {
        switch effectivePayload {
        case .unsigned: return "UNSIGNED-PAYLOAD"
        case .chunked: return "STREAMING-" + algorithmName + "-PAYLOAD"
        case .signed:
            if let hash = context.bodyHash, hash.count == HashAlgorithm.sha256.digestSize {
                return hash.hexadecimal
            }
            guard let data = request.body.inMemory else {
                throw SigningError(
                    .unsignableBody,
                    "The body is not in memory and the context has no SHA-256 of it, so a SigV4 "
                        + "signature cannot cover it. Give the hash, or sign chunks or no payload."
                )
            }
            return data.isEmpty ? Self.emptyHash : HashAlgorithm.sha256.hash(data).hexadecimal
        }
    }

    private static let emptyHash = HashAlgorithm.sha256.hash([]).hexadecimal

    private func addFields(
        to request: inout HTTP.Request,
        _ stamp: String,
        _ token: String?,
        _ payloadHash: String
    ) {
        request.headers[names.dateField] = stamp
        if statesPayloadHash || effectivePayload != .signed {
            request.headers[names.contentHashField] = payloadHash
        }
        if let token {
            request.headers[names.tokenField] = signsToken ? token : nil
        }
        if algorithm == .ecdsaP256SHA256 { request.headers[names.regionSetField] = region }
        if case .chunked(let size) = effectivePayload, payloadHash.hasPrefix("STREAMING-"),
            let length = request.body.length, !request.headers.contains(names.decodedLengthField)
        {
            let coding = request.headers["Content-Encoding"].map { "aws-chunked,\($0)" }
            request.headers["Content-Encoding"] = coding ?? "aws-chunked"
            request.headers[names.decodedLengthField] = "\(length)"
            request.headers["Content-Length"] = "\(ChunkSigner.length(of: length, by: size))"
        }
    }
}
