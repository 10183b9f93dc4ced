/// HMAC-SHA256 over a canonical request, placed in a header field or in query parameters.
///
/// As a field:
///
///     X-Signature: keyid="app-1", created=1700000000, nonce="…", fields="content-type", hmac="…"
///
/// As parameters, for servers that sign the sorted parameter list: `keyid`, `timestamp`, `nonce` and
/// `sign` are added to the query, and `sign` covers the first three with all others.
public struct HMACScheme: SignatureScheme {
    /// Where a signature goes.
    public enum Location: Sendable, Hashable {
        /// Into a header field.
        case field(String)
        /// Into query parameters of these names.
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

    /// Where a signature goes.
    public let location: Location
    /// The names, in lower case and sorted, of the fields that a signature covers where a request has them.
    public let coveredFields: [String]
    /// Whether a signature covers the body.
    public let coversBody: Bool

    /// Creates a scheme.
    /// - Parameters:
    ///   - location: Where a signature goes. Defaults to the field `X-Signature`.
    ///   - coveredFields: Header fields a signature covers where a request has them. Defaults to
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
    }

    public var signatureFields: [String] {
        if case .field(let name) = location { [name] } else { [] }
    }

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
                (keyID, key.id), (timestamp, "\(context.timestamp)"), (nonce, context.nonce),
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
            request.headers[name] =
                "keyid=\"\(key.id)\", created=\(context.timestamp), nonce=\"\(context.nonce)\", "
                + "fields=\"\(fields.joined(separator: " "))\", hmac=\"\(code)\""
        case .parameters(_, _, _, let signature):
            request.url = request.url.appending(query: [(signature, code)])
        }
        return request
    }
}
