#if HTTPTypes
import HTTPTypes
import InterceptorKit

/// The target of a request in the parts of RFC 9113 section 8.3.1, as written.
struct Target: Equatable {
    var scheme: String?
    var authority: String?
    var path: String

    init(
        path: String?,
        scheme: String?,
        authority: String?
    ) throws(HTTP.RequestError) {
        guard let path else {
            throw HTTP.RequestError(.invalidURL, "A request without a path (CONNECT) has no URL.")
        }
        self.path = path
        self.scheme = scheme
        self.authority = authority
    }

    init(_ url: HTTP.URL) throws(HTTP.RequestError) {
        let text = url.text
        guard !text.utf8.contains(UInt8(ascii: "#")) else {
            throw HTTP.RequestError(
                .invalidURL,
                "The URL \(url) has a fragment, for which HTTPRequest has no place. Remove it; it is never "
                    + "sent."
            )
        }
        if url.isRelative {
            guard text.utf8.first == UInt8(ascii: "/") else {
                throw HTTP.RequestError(
                    .invalidURL,
                    "The URL \(url) is relative to a base. Complete it first, or begin it with a slash."
                )
            }
            path = text
            return
        }
        try url.validate()
        // A valid URL has a scheme, `://` and a host before the path.
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.startIndex
        let start = text.utf8.index(colon, offsetBy: 3)
        let end = text.utf8[start...].firstIndex(where: Self.endsAuthority) ?? text.endIndex
        scheme = String(text[..<colon])
        authority = String(text[start..<end])
        let path = text[end...]
        self.path = path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }

    /// Returns the URL of these parts; throws if the URL would have other parts.
    func url() throws(HTTP.RequestError) -> HTTP.URL {
        let url: HTTP.URL
        switch (scheme, authority) {
        case (let scheme?, let authority?):
            url = HTTP.URL("\(raw: scheme)://\(raw: authority)\(raw: path)")
        case (nil, nil): url = HTTP.URL(unvalidated: path)
        default:
            throw HTTP.RequestError(
                .invalidURL,
                "A request has both a scheme and an authority, or neither and a path alone."
            )
        }
        // Usually the parts show this; parsing the URL again only serves to name the mistake.
        if areParts(of: url) { return url }
        guard try Target(url) == self else {
            throw HTTP.RequestError(
                .invalidURL,
                "The pseudo-header fields do not make the URL \(url): one of them has a character that "
                    + "ends it, or the path does not begin with a slash."
            )
        }
        return url
    }

    /// Whether joining these parts to a URL preserves them. `false` can also mean that the URL is invalid.
    private func areParts(of url: HTTP.URL) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(UInt8(ascii: "#"))
        else { return false }
        guard let scheme, let authority else { return url.isRelative }
        guard scheme == "https" || scheme == "http",
            !authority.utf8.contains(where: { Self.endsAuthority($0) || $0 == UInt8(ascii: "#") })
        else { return false }
        return (try? url.validate()) != nil
    }
}
#endif
