#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as a client keeps it (RFC 6265 section 5.3).
///
/// It is made from what a server sets and never shows its value, which is a credential as often as not.
public struct Cookie: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its value, as the server wrote it.
    public let value: String
    /// The host it is for, in lower case.
    public let domain: String
    /// Whether hosts below ``domain`` do not receive it.
    public let isHostOnly: Bool
    /// The path it is for, with all that is below.
    public let path: String
    /// Whether it is sent over https alone.
    public let isSecure: Bool
    /// Whether scripts of a page must not see it. Kept for those who hand cookies on.
    public let isHTTPOnly: Bool
    /// When it ends; `nil` for one that lasts as long as the session.
    public let expiresAt: Date?
    /// When it was first set.
    public internal(set) var createdAt: Date

    /// The largest name and value together that are kept: 4,096 bytes (RFC 6265 section 6.1).
    public static let largestSize = 4096

    /// The longest a cookie is kept: 400 days, as in browsers (RFC 6265bis section 5.5).
    public static let longestLife: Duration = .seconds(400 * 86_400)

    /// Tells whether a domain is one under which anybody may have a name, like `com` or `co.uk`, so that
    /// a cookie for all of it would be a cookie for everybody.
    public typealias PublicSuffixRule = @Sendable (_ domain: String) -> Bool

    /// The rule that needs no list: a domain of one label, other than `localhost`.
    ///
    /// It does not know `co.uk`. Give a rule that looks into the public suffix list where hosts are
    /// visited that are not your own.
    public static let isSingleLabel: PublicSuffixRule = { domain in
        let name = domain.hasSuffix(".") ? domain.dropLast() : domain[...]
        return !name.contains(".") && name != "localhost"
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
    /// The name and where it is sent, never the value.
    public var description: String {
        "Cookie(\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path))"
    }
}

extension Cookie: CustomReflectable {
    /// The same, so that `dump` and debuggers do not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["cookie": description]) }
}
