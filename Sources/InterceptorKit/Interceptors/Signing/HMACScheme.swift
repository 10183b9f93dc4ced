/// HMAC-SHA256 over a canonical request, placed in a header field or in query parameters.
///
/// As a field:
///
///     X-Signature: keyid="app-1", created=1700000000, nonce="…", fields="content-type", hmac="…"
///
/// As parameters, for servers that sign the sorted parameter list: `keyid`, `timestamp`, `nonce` and `sign` are added
/// to the query, and `sign` covers the first three and all others.
public struct HMACScheme: SignatureScheme {
    /// The place of a signature in a request.
    public enum Location: Sendable, Hashable {
        /// A header field with this name.
        case field(String)
        /// Query parameters with these names.
        case parameters(keyID: String, timestamp: String, nonce: String, signature: String)

        /// The field `X-Signature`.
        public static let field = Location.field("X-Signature")
        /// The parameters `keyid`, `timestamp`, `nonce` and `sign`.
        public static let parameters = Location.parameters(
            keyID: "keyid",
            timestamp: "timestamp",
            nonce: "nonce",
            signature: "sign"
        )
    }

    /// The place of the signature.
    public let location: Location
    /// The header fields that a signature covers where a request has them, in lower case and sorted.
    public let coveredFields: [String]
    /// Whether a signature covers the body.
    public let coversBody: Bool

    /// Creates a scheme.
    /// - Parameters:
    ///   - location: The place of the signature. Defaults to the field `X-Signature`.
    ///   - coveredFields: The header fields that a signature covers where a request has them. Defaults to
    ///     `Authorization` and `Content-Type`.
    ///   - coversBody: Whether a signature covers the body. Defaults to `true`.
    public init(
        _ location: Location = .field,
        coveredFields: [String] = ["authorization", "content-type"],
        coversBody: Bool = true
    ) {
        self.location = location
        self.coveredFields = coveredFields.map { $0.lowercased() }.sorted()
        self.coversBody = coversBody
        signatureFields = if case .field(let name) = location { [name] } else { [] }
    }

    public let signatureFields: [String]

    public func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { coversBody ? .sha256 : nil }

    public func coveredFields(of request: HTTP.Request) -> [String] {
        coveredFields.filter(request.headers.contains)
    }

    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        let key = context.key
        try key.validate()
        var request = request
        let fields = coveredFields.filter(request.headers.contains)
        if case .parameters(let keyID, let timestamp, let nonce, _) = location {
            request.url = request.url.appending(query: [
                keyID: key.id, timestamp: "\(context.timestamp)", nonce: context.nonce,
            ])
        }
        let canonical = CanonicalRequest(
            request: request,
            coveredFields: fields,
            bodyHash: context.bodyHash,
            keyID: key.id,
            timestamp: context.timestamp,
            nonce: context.nonce
        )
        let code = try canonical.code(with: key).hexadecimal
        switch location {
        case .field(let name):
            request.headers[name] = value(fields, code, context)
        case .parameters(_, _, _, let signature):
            request.url = request.url.appending(query: [signature: code])
        }
        return request
    }

    // Built in one buffer, because every signed request needs it.
    private func value(_ fields: [String], _ code: String, _ context: SigningContext) -> String {
        var value = CanonicalWriter(capacity: 192 + context.key.id.utf8.count)
        value.append("keyid=\"")
        value.append(context.key.id)
        value.append("\", created=")
        value.append(String(context.timestamp))
        value.append(", nonce=\"")
        value.append(context.nonce)
        value.append("\", fields=\"")
        for (index, field) in fields.enumerated() {
            if index > 0 { value.append(" " as Unicode.Scalar) }
            value.append(field)
        }
        value.append("\", hmac=\"")
        value.append(code)
        value.append("\"" as Unicode.Scalar)
        return value.string
    }
}
