#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as a client stores it (RFC 6265 section 5.3).
///
/// It is made from a server's field and never shows its value, which is often a credential.
public struct Cookie: Sendable, Hashable {
    /// The cookie's name.
    public let name: String
    /// The cookie's value, as the server wrote it.
    public let value: String
    /// The host that the cookie is for, in lower case.
    public let domain: String
    /// Whether hosts below ``domain`` do not receive it.
    public let isHostOnly: Bool
    /// The path that the cookie is for, including all paths below.
    public let path: String
    /// Whether it is sent only over https.
    public let isSecure: Bool
    /// Whether scripts of a page must not see it. Kept for code that passes cookies on.
    public let isHTTPOnly: Bool
    /// The date of expiry; `nil` for one that lasts as long as the session.
    public let expiresAt: Date?
    /// The date when it was first set.
    public internal(set) var createdAt: Date

    /// The largest size of name and value together: 4,096 bytes (RFC 6265 section 6.1).
    public static let largestSize = 4096

    /// The longest life of a cookie: 400 days, as in browsers (RFC 6265bis section 5.5).
    public static let longestLife: Duration = .seconds(400 * 86_400)

    /// A closure that says whether anybody can register a name in a domain, such as `com` or `co.uk`, so that
    /// a cookie for the whole domain would go to everybody.
    public typealias PublicSuffixRule = @Sendable (_ domain: String) -> Bool

    /// A rule that needs no list: any domain of one label except `localhost`.
    ///
    /// It does not know `co.uk`. If you call hosts that you do not control, pass a rule that uses the public
    /// suffix list.
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

extension Cookie: CustomStringConvertible {
    /// The name and where the cookie is sent, never the value.
    public var description: String {
        "Cookie(\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path))"
    }
}

extension Cookie: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["cookie": description]) }
}
