/// The parts of a complete URL as bytes, for texts to sign.
struct CanonicalTarget {
    private let bytes: [UInt8]
    private let host: Range<Int>
    private let port: Int?
    private let pathRange: Range<Int>
    private let queryRange: Range<Int>

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
        self.host = host
        port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
        pathRange = parts.path
        queryRange = parts.query ?? 0..<0
    }

    var path: ArraySlice<UInt8> { bytes[pathRange] }
    var query: ArraySlice<UInt8> { bytes[queryRange] }

    /// The host in lower case, and the port unless it is the scheme's own: as in a `Host` field.
    var authority: String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        var text = String(decoding: bytes[host], as: UTF8.self)
        if bytes[host].contains(where: { capitals.contains($0) }) { text = text.lowercased() }
        if let port { text += ":\(port)" }
        return text
    }
}
