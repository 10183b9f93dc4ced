/// The parts of a complete URL as bytes, for texts to sign.
struct CanonicalTarget {
    private let bytes: [UInt8]
    /// `http` or `https`.
    let scheme: String
    private let hostRange: Range<Int>
    private let writtenPort: Int?
    private let pathRange: Range<Int>
    private let queryRange: Range<Int>
    let hasQuery: Bool

    /// - Throws: `HTTP.RequestError` for what is no complete http or https URL.
    init(_ url: HTTP.URL) throws {
        let parts = url.parts
        guard parts.problem == nil, let host = parts.host, !host.isEmpty, let scheme = url.scheme,
            scheme == "https" || scheme == "http"
        else {
            try url.validate()
            throw HTTP.RequestError(.invalidURL, "The URL is not complete.")
        }
        bytes = Array(url.text.utf8)
        self.scheme = scheme
        hostRange = host
        writtenPort = parts.port
        pathRange = parts.path
        hasQuery = parts.query != nil
        queryRange = parts.query ?? 0..<0
    }

    var path: ArraySlice<UInt8> { bytes[pathRange] }
    var query: ArraySlice<UInt8> { bytes[queryRange] }

    /// The host in lower case, and the port unless it is the scheme's own: as in a `Host` field.
    var authority: String { port == usualPort ? host : "\(host):\(port)" }

    /// The host in lower case.
    var host: String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let text = String(decoding: bytes[hostRange], as: UTF8.self)
        return bytes[hostRange].contains { capitals.contains($0) } ? text.lowercased() : text
    }

    /// The port, the scheme's own if none is written.
    var port: Int { writtenPort ?? usualPort }

    private var usualPort: Int { scheme == "https" ? 443 : 80 }
}
