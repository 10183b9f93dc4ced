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

    let location: Location
    let coveredFields: [String]
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

    public func sign(
        _ request: HTTP.Request,
        content: [UInt8]?,
        with key: SigningKey,
        _ freshness: SignatureFreshness
    ) throws -> HTTP.Request {
        try key.validate()
        var request = request
        let fields = coveredFields.filter(request.headers.contains)
        if case .parameters(let keyID, let timestamp, let nonce, _) = location {
            request.url = request.url.appending(query: [
                (keyID, key.id), (timestamp, "\(freshness.timestamp)"), (nonce, freshness.nonce),
            ])
        }
        let canonical = CanonicalRequest(
            request: request,
            coveredFields: fields,
            content: content,
            keyID: key.id,
            timestamp: freshness.timestamp,
            nonce: freshness.nonce
        )
        let code = canonical.code(with: key)
        switch location {
        case .field(let name):
            request.headers[name] =
                "keyid=\"\(key.id)\", created=\(freshness.timestamp), nonce=\"\(freshness.nonce)\", "
                + "fields=\"\(fields.joined(separator: " "))\", hmac=\"\(code)\""
        case .parameters(_, _, _, let signature):
            request.url = request.url.appending(query: [(signature, code)])
        }
        return request
    }
}
