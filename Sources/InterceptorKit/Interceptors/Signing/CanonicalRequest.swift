/// The text that a signature covers, which the server can rebuild from the request.
///
/// It has ten lines: a version, method, host and port, path, parameters sorted by name and value, covered fields, body
/// hash, key id, timestamp and nonce. No line contains a line break, so two requests with the same text differ at most
/// in parts that it does not cover, in the order of parameters, in the escapes of their names and values, in empty
/// parameters, or in `=` after a name without a value.
public struct CanonicalRequest: Sendable {
    private let request: HTTP.Request
    private let uncoveredParameter: String?
    private let coveredFields: [String]
    private let bodyHash: HashAlgorithm.Digest?
    private let keyID: String
    private let timestamp: Int
    private let nonce: String

    /// Creates the text for a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - uncoveredParameter: The query parameter with the signature. Defaults to none.
    ///   - coveredFields: The names of the covered fields, in lower case and sorted.
    ///   - bodyHash: The SHA-256 of the body; `nil` if the signature does not cover it.
    ///   - keyID: The id of the key.
    ///   - timestamp: The time of the signature, in seconds since 1970.
    ///   - nonce: A value that no other signature has.
    public init(
        request: HTTP.Request,
        uncoveredParameter: String? = nil,
        coveredFields: [String],
        bodyHash: HashAlgorithm.Digest?,
        keyID: String,
        timestamp: Int,
        nonce: String
    ) {
        self.request = request
        self.uncoveredParameter = uncoveredParameter
        self.coveredFields = coveredFields
        self.bodyHash = bodyHash
        self.keyID = keyID
        self.timestamp = timestamp
        self.nonce = nonce
    }

    /// Returns the signature: the text's HMAC-SHA256.
    /// - Parameter key: The shared key.
    /// - Throws: ``SigningError`` if the key is not a secret, ``HTTP/RequestError`` if the URL is not complete.
    public func code(with key: SigningKey) throws -> HashAlgorithm.Digest {
        try key.secret.authenticationCode(of: text().bytes)
    }

    private func text() throws -> CanonicalWriter {
        let target = try CanonicalTarget(request.url.normalized)
        var text = CanonicalWriter()
        text.append("interceptorkit-hmac-sha256-1\n")
        text.appendLine(request.method.rawValue)
        text.appendLine(target.authority)
        if target.path.isEmpty { text.append("/" as Unicode.Scalar) }
        text.append(contentsOf: target.path)
        text.append("\n" as Unicode.Scalar)
        let uncovered = uncoveredParameter.map { [PercentEncoding.encode($0)] } ?? []
        text.appendQuery(target.query, leavingOut: uncovered)
        text.append("\n" as Unicode.Scalar)
        writeFields(to: &text)
        text.append("\n" as Unicode.Scalar)
        if let bodyHash { text.appendHexadecimal(bodyHash) } else { text.append("unsigned") }
        text.append("\n" as Unicode.Scalar)
        text.appendLine(keyID)
        text.appendLine(String(timestamp))
        text.append(nonce)
        return text
    }

    // Percent-encoded, so that a value cannot pretend to be another field.
    private func writeFields(to text: inout CanonicalWriter) {
        for (index, name) in coveredFields.enumerated() {
            if index > 0 { text.append("&" as Unicode.Scalar) }
            text.append(name)
            text.append("=" as Unicode.Scalar)
            text.appendEncoded((request.headers[name] ?? "").utf8)
        }
    }
}

extension CanonicalWriter {
    fileprivate mutating func appendLine(_ text: String) {
        append(text)
        append("\n" as Unicode.Scalar)
    }
}
