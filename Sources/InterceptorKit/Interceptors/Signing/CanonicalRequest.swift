/// The text a signature is made over: what both sides can rebuild from the request alone.
///
/// Ten lines: a version, method, host and port, path, parameters sorted by name and value, covered
/// fields, body hash, key id, timestamp and nonce. Line breaks cannot occur within a line, so no two
/// requests have one text.
struct CanonicalRequest {
    let request: HTTP.Request
    let coveredFields: [String]
    let bodyHash: HashAlgorithm.Digest?
    let keyID: String
    let timestamp: Int
    let nonce: String

    var text: String {
        let url = request.url.normalized
        return [
            "interceptorkit-hmac-sha256-1",
            request.method.rawValue,
            url.origin?.authority ?? "",
            url.path.isEmpty ? "/" : url.path,
            Self.sortedParameters(of: url),
            coveredFields.map(line(for:)).joined(separator: "&"),
            bodyHash.map(\.hexadecimal) ?? "unsigned",
            keyID,
            "\(timestamp)",
            nonce,
        ].joined(separator: "\n")
    }

    /// What goes into the signature: HMAC-SHA256 in hexadecimal digits.
    func code(
        with key: SigningKey,
        by provider: HashProvider = .builtIn
    ) throws(SigningError) -> String {
        let code = HashAlgorithm.sha256.authenticationCode(
            of: text.utf8,
            key: try key.secret,
            by: provider
        )
        return code.hexadecimal
    }

    // Percent-encoded, so that a value cannot pretend to be another field.
    private func line(for field: String) -> String {
        let value = request.headers.values(field).joined(separator: ", ")
        return "\(field)=\(HTTP.percentEncoded(value))"
    }

    private static func sortedParameters(of url: HTTP.URL) -> String {
        url.queryParameters
            .map { (HTTP.percentEncoded($0.name), HTTP.percentEncoded($0.value)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }
}
