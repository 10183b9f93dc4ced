#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Cookie {
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

    /// Whether a host is a domain or below it (RFC 6265 section 5.1.3); an address is below none.
    static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        return !domain.isEmpty && host.ends(with: "." + domain) && !isAddress(host)
    }

    /// Whether a path is another or below it (RFC 6265 section 5.1.4).
    static func isPath(_ path: String, under cookiePath: String) -> Bool {
        let path = path.utf8
        let above = cookiePath.utf8
        guard path.starts(with: above) else { return false }
        return path.count == above.count || above.last == UInt8(ascii: "/")
            || path.dropFirst(above.count).first == UInt8(ascii: "/")
    }

    // An IPv6 address is in brackets. A host whose last label is a number is taken for an IPv4 address
    // in one of its spellings (WHATWG URL section 3.5).
    private static func isAddress(_ host: String) -> Bool {
        if host.begins(with: "[") { return true }
        guard let last = host.split(at: ".").last else { return false }
        return last.begins(with: "0x") || last.utf8.allSatisfy { 48...57 ~= $0 }
    }
}

extension Sequence where Element == Cookie {
    /// Returns the cookies to send with a request, in the order to send them: longer paths first, then those
    /// set earlier (RFC 6265 section 5.4).
    public func sent(to url: HTTP.URL, at date: Date) -> [Cookie] {
        // Stable, so that cookies set at one instant keep the order they come in.
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
