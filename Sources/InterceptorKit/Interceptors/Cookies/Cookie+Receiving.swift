#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Cookie {
    /// Creates a cookie from a `Set-Cookie` field, if it is allowed (RFC 6265 section 5.3).
    ///
    /// These are refused: a field without a name, with more than ``largestSize`` bytes or with control
    /// characters; a cookie for a public suffix or for a domain that the host is not in; one marked `Secure`
    /// that did not come over https; and one named `__Secure-` or `__Host-` that violates the rules of its
    /// prefix. `SameSite` is ignored, because it only concerns pages.
    /// - Parameters:
    ///   - field: The field's value.
    ///   - url: The URL of the request.
    ///   - date: The current date.
    ///   - isPublicSuffix: Whether a domain is a public suffix, for which no cookie is stored. Defaults to
    ///     ``isSingleLabel``.
    public init?(
        _ field: String,
        from url: HTTP.URL,
        at date: Date,
        isPublicSuffix: PublicSuffixRule = Cookie.isSingleLabel
    ) {
        guard let host = url.host, !host.isEmpty, let set = SetCookie(field) else { return nil }
        var domain = set.domain?.lowercased() ?? ""
        if let rest = domain.rest(after: ".") { domain = String(rest) }
        // `co.uk.` is the same suffix as `co.uk`, which alone the rule knows.
        let isSuffix =
            !domain.isEmpty && isPublicSuffix(domain.rest(before: ".").map(String.init) ?? domain)
        // A public suffix may still have a site of its own, which then is the only one to be told.
        if domain == host, isSuffix { domain = "" }
        let isHostOnly = domain.isEmpty
        if !isHostOnly {
            guard !isSuffix, Self.isHost(host, in: domain) else { return nil }
        }
        if set.isSecure, url.scheme != "https" { return nil }
        let path = set.path.flatMap { $0.begins(with: "/") ? $0 : nil }
        let name = set.name.lowercased()
        if name.begins(with: "__secure-"), !set.isSecure { return nil }
        if name.begins(with: "__host-"), !(set.isSecure && isHostOnly && path == "/") { return nil }
        self.init(
            name: set.name,
            value: set.value,
            domain: isHostOnly ? host : domain,
            isHostOnly: isHostOnly,
            path: path ?? Self.defaultPath(for: url),
            isSecure: set.isSecure,
            isHTTPOnly: set.isHTTPOnly,
            expiresAt: set.end(from: date),
            createdAt: date
        )
    }

    // RFC 6265 section 5.1.4: up to the path's last slash, without it.
    private static func defaultPath(for url: HTTP.URL) -> String {
        let path = HTTP.removingDotSegments(url.path)
        guard path.begins(with: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            last > path.startIndex
        else {
            return "/"
        }
        return String(path[..<last])
    }
}

extension SetCookie {
    /// When the cookie ends: `Max-Age` before `Expires`.
    fileprivate func end(from date: Date) -> Date? {
        let latest = date.addingTimeInterval(Double(Cookie.longestLife.components.seconds))
        if let seconds = maxAge.flatMap(Self.seconds) {
            return seconds <= 0 ? .distantPast : min(latest, date.addingTimeInterval(seconds))
        }
        return expires.flatMap(HTTP.cookieDate).map { min(latest, $0) }
    }
}
