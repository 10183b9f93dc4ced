#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// A cookie as a client stores it (RFC 6265 section 5.3).
    ///
    /// It is made from a `Set-Cookie` field or from values, and never shows its value, which is often a credential.
    public struct Cookie: Sendable, Hashable {
        /// The cookie's name.
        public let name: String
        /// The cookie's value, as the server wrote it.
        public let value: String
        /// The domain that the cookie is for, in lower case.
        public let domain: String
        /// Whether hosts below ``domain`` do not receive the cookie.
        public let isHostOnly: Bool
        /// The path that the cookie is for, including all paths below.
        public let path: String
        /// Whether the cookie is sent only over https.
        public let isSecure: Bool
        /// Whether scripts of a page must not see the cookie. Kept for code that passes cookies on.
        public let isHTTPOnly: Bool
        /// The date of expiry; `nil` for a cookie that lasts as long as the session.
        public let expiresAt: Date?
        /// The date when the cookie was first set; `distantPast` for one made from values.
        public internal(set) var createdAt: Date

        /// The largest size of name and value together, in bytes: 4,096 (RFC 6265 section 6.1).
        public static let largestSize = 4096

        /// The longest life of a cookie: 400 days, as in browsers (RFC 6265bis section 5.5).
        public static let longestLife: Duration = .seconds(400 * 86_400)

        /// A closure that returns whether anybody can register a name below a domain, such as `com` or `co.uk`. A
        /// cookie for such a domain would go to everybody.
        public typealias PublicSuffixRule = @Sendable (_ domain: String) -> Bool

        /// A rule that needs no list: any domain of one label except `localhost`.
        ///
        /// It does not know `co.uk`: for hosts that you do not control, pass a rule that uses the public suffix list.
        public static let isSingleLabel: PublicSuffixRule = { domain in
            let name = domain.rest(before: ".") ?? domain[...]
            return !name.holds(".") && name != "localhost"
        }

        init(
            name: String,
            value: String,
            domain: String,
            isHostOnly: Bool,
            path: String,
            isSecure: Bool,
            isHTTPOnly: Bool,
            expiresAt: Date?,
            createdAt: Date
        ) {
            self.name = name
            self.value = value
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
            self.isSecure = isSecure
            self.isHTTPOnly = isHTTPOnly
            self.expiresAt = expiresAt
            self.createdAt = createdAt
        }
    }
}

extension HTTP.Cookie: CustomStringConvertible {
    /// The name and where the cookie is sent, without the value.
    public var description: String {
        "Cookie(\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path))"
    }
}

extension HTTP.Cookie: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["cookie": description]) }
}

extension HTTP.Cookie {
    /// Creates a cookie from a `Set-Cookie` field, if it is allowed (RFC 6265 section 5.3).
    ///
    /// Refused are a field without a name, with more than ``largestSize`` bytes or with control characters; a cookie
    /// for a public suffix or a domain that does not contain the host; one marked `Secure` that did not come over
    /// https; and one named `__Secure-` or `__Host-` that violates its prefix's rules. `SameSite` is ignored, because
    /// it concerns pages only.
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
        isPublicSuffix: PublicSuffixRule = HTTP.Cookie.isSingleLabel
    ) {
        guard let host = url.host, !host.isEmpty, let set = SetCookie(field) else { return nil }
        var domain = set.domain?.lowercased() ?? ""
        if let rest = domain.rest(after: ".") { domain = String(rest) }
        // `co.uk.` is the same suffix as `co.uk`, the only form that the rule knows.
        let isSuffix =
            !domain.isEmpty && isPublicSuffix(domain.rest(before: ".").map(String.init) ?? domain)
        // A public suffix may have a site of its own, which then gets a host-only cookie.
        if domain == host, isSuffix { domain = "" }
        let isHostOnly = domain.isEmpty
        if !isHostOnly {
            guard !isSuffix, Self.isHost(host, in: domain) else { return nil }
        }
        if set.isSecure, url.scheme != "https" { return nil }
        let path = set.path.flatMap { $0.begins(with: "/") ? $0 : nil }
        let prefix = NamePrefix(of: set.name)
        guard prefix.allows(isSecure: set.isSecure, isHostOnly: isHostOnly, path: path) else {
            return nil
        }
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
    /// Returns the date of expiry: `Max-Age` takes precedence over `Expires`.
    fileprivate func end(from date: Date) -> Date? {
        let latest = date.addingTimeInterval(Double(HTTP.Cookie.longestLife.components.seconds))
        if let seconds = maxAge.flatMap(Self.seconds) {
            return seconds <= 0 ? .distantPast : min(latest, date.addingTimeInterval(seconds))
        }
        return expires.flatMap(HTTP.cookieDate).map { min(latest, $0) }
    }
}

extension HTTP.Cookie {
    /// Returns whether the cookie is sent with a request (RFC 6265 section 5.4).
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - date: The current date.
    public func isSent(to url: HTTP.URL, at date: Date) -> Bool {
        guard let host = url.host, !hasEnded(at: date) else { return false }
        guard isHostOnly ? host == domain : Self.isHost(host, in: domain) else { return false }
        guard !isSecure || url.scheme == "https" else { return false }
        let asked = HTTP.removingDotSegments(url.path)
        return Self.isPath(asked.isEmpty ? "/" : asked, under: path)
    }

    /// Returns whether the cookie has expired.
    public func hasEnded(at date: Date) -> Bool { expiresAt.map { $0 <= date } ?? false }

    /// Whether a host is in a domain (RFC 6265 section 5.1.3); an IP address is in none but itself.
    static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        return !domain.isEmpty && host.ends(with: "." + domain) && !isAddress(host)
    }

    /// Whether a path is at or below the cookie's path (RFC 6265 section 5.1.4).
    static func isPath(_ path: String, under cookiePath: String) -> Bool {
        let path = path.utf8
        let above = cookiePath.utf8
        guard path.starts(with: above) else { return false }
        return path.count == above.count || above.last == UInt8(ascii: "/")
            || path.dropFirst(above.count).first == UInt8(ascii: "/")
    }

    // An IPv6 address is in brackets. A host whose last label is a number counts as an IPv4 address in one of its
    // spellings (WHATWG URL section 3.5).
    private static func isAddress(_ host: String) -> Bool {
        if host.begins(with: "[") { return true }
        guard let last = host.split(at: ".").last else { return false }
        return last.begins(with: "0x") || last.utf8.allSatisfy { 48...57 ~= $0 }
    }
}

extension Sequence where Element == HTTP.Cookie {
    /// Returns the cookies to send with a request, in their order in the field: longer paths first, then those set
    /// earlier (RFC 6265 section 5.4).
    public func sent(to url: HTTP.URL, at date: Date) -> [HTTP.Cookie] {
        // Stable, so that cookies set at the same time keep their order.
        filter { $0.isSent(to: url, at: date) }.enumerated().sorted { left, right in
            let lengths = (left.element.path.utf8.count, right.element.path.utf8.count)
            if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
            if left.element.createdAt != right.element.createdAt {
                return left.element.createdAt < right.element.createdAt
            }
            return left.offset < right.offset
        }.map(\.element)
    }
}
