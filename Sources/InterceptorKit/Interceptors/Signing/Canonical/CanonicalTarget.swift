/// The parts of a complete URL in the form that a signature covers, for custom signature schemes.
package struct CanonicalTarget: Sendable {
    private let bytes: [UInt8]
    private let isSecure: Bool
    private let hostRange: Range<Int>
    private let writtenPort: Int?
    private let pathRange: Range<Int>
    private let queryRange: Range<Int>
    /// Whether the URL has a query, even an empty one.
    package let hasQuery: Bool

    /// Reads a URL.
    /// - Parameter url: A complete http or https URL.
    /// - Throws: ``HTTP/RequestError`` for any other URL.
    package init(_ url: HTTP.URL) throws {
        let parts = url.parts
        bytes = Array(url.text.utf8)
        let scheme = Self.lowerCase(bytes[parts.scheme ?? 0..<0])
        guard parts.problem == nil, let host = parts.host, !host.isEmpty,
            scheme == "https" || scheme == "http"
        else {
            try url.validate()
            throw HTTP.RequestError(.invalidURL, "The URL is not complete.")
        }
        isSecure = scheme == "https"
        hostRange = host
        writtenPort = parts.port
        pathRange = parts.path
        authority = url.authority ?? ""
        hasQuery = parts.query != nil
        queryRange = parts.query ?? 0..<0
    }

    /// The path, percent-encoded as in the URL.
    package var path: ArraySlice<UInt8> { bytes[pathRange] }
    /// The query without its `?`, percent-encoded as in the URL.
    package var query: ArraySlice<UInt8> { bytes[queryRange] }

    /// The host in lower case, with the port unless it is the scheme's default, as in a `Host` field.
    package let authority: String

    /// Returns the value of a `Host` field in the form of ``authority``.
    package func authority(named host: String) -> String {
        let host = host.lowercased()
        let ending = ":\(usualPort)"
        return host.rest(before: ending).map(String.init) ?? host
    }

    /// The scheme, `http` or `https`.
    package var scheme: String { isSecure ? "https" : "http" }

    /// The host in lower case.
    package var host: String { Self.lowerCase(bytes[hostRange]) }

    private static func lowerCase(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.contains { $0 &- UInt8(ascii: "A") < 26 } ? text.lowercased() : text
    }

    /// The port; the scheme's default if none is written.
    package var port: Int { writtenPort ?? usualPort }

    private var usualPort: Int { isSecure ? 443 : 80 }
}
