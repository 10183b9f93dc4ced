#if HTTPTypes
import HTTPTypes
import InterceptorKit

/// Where a request goes, in the parts of RFC 9113 section 8.3.1, as written.
struct Target: Equatable {
    var scheme: String?
    var authority: String?
    var path: String

    init(_ request: HTTPRequest) throws(ConversionError) {
        guard let path = request.path else {
            throw ConversionError(.url, "A request without a path, like CONNECT, makes no URL.")
        }
        self.path = path
        scheme = request.scheme
        authority = request.authority
    }

    init(_ url: HTTP.URL) throws(ConversionError) {
        let text = url.text
        guard !text.contains("#") else {
            throw ConversionError(
                .url,
                "The URL \(url) has a fragment, for which HTTPRequest has no place. Remove it; it is never "
                    + "sent."
            )
        }
        if url.isRelative {
            guard text.hasPrefix("/") else {
                throw ConversionError(
                    .url,
                    "The URL \(url) is relative to a base. Complete it first, or begin it with a slash."
                )
            }
            path = text
            return
        }
        do throws(HTTP.RequestError) {
            try url.validate()
        } catch {
            throw ConversionError(.url, error.message)
        }
        // What was validated has a scheme, `://` and a host before the path.
        let colon = text.firstIndex(of: ":") ?? text.startIndex
        let start = text.index(colon, offsetBy: 3)
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        scheme = String(text[..<colon])
        authority = String(text[start..<end])
        path = text[end...].hasPrefix("/") ? String(text[end...]) : "/" + text[end...]
    }

    /// The URL of these parts, if it has these parts.
    func url() throws(ConversionError) -> HTTP.URL {
        let url: HTTP.URL
        switch (scheme, authority) {
        case (let scheme?, let authority?):
            url = HTTP.URL("\(raw: scheme)://\(raw: authority)\(raw: path)")
        case (nil, nil): url = HTTP.URL(path)
        default:
            throw ConversionError(
                .url,
                "A request has both a scheme and an authority, or neither and a path alone."
            )
        }
        guard try Target(url) == self else {
            throw ConversionError(
                .url,
                "The pseudo-header fields do not make the URL \(url): one of them has a character that "
                    + "ends it, or the path does not begin with a slash."
            )
        }
        return url
    }
}
#endif
