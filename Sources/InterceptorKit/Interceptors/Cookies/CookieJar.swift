import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie store in memory.
///
/// A jar belongs to one user: in a server, give each user a separate jar. Its size is limited; a full jar first removes
/// expired cookies, then the least recently used.
public final class CookieJar: CookieStore {
    private let contents: Lock<JarContents>

    /// Creates a jar.
    /// - Parameters:
    ///   - cookies: The jar's first cookies. Defaults to none.
    ///   - perDomain: The largest number of cookies for one domain; at least 1. Defaults to 180, as in Chrome (RFC 6265
    ///     section 6.1 asks for 50).
    ///   - total: The largest number of cookies in all; at least 1. Defaults to 3,000, as RFC 6265 asks for.
    public init(_ cookies: [HTTP.Cookie] = [], perDomain: Int = 180, total: Int = 3000) {
        var contents = JarContents(perDomain: max(1, perDomain), total: max(1, total))
        contents.store(cookies, isSecureOrigin: true, at: .distantPast)
        self.contents = Lock(contents)
    }

    /// Returns the cookies to send with a request, in their order in the field.
    public func cookies(for url: HTTP.URL, at date: Date) -> [HTTP.Cookie] {
        contents.withLock { $0.cookies(for: url, at: date) }
    }

    /// Stores the cookies that a response set.
    ///
    /// A cookie from an http response must not be ``HTTP/Cookie/isSecure``, and does not replace one that is (RFC
    /// 6265bis section 5.7).
    public func store(_ cookies: [HTTP.Cookie], from url: HTTP.URL, at date: Date) {
        contents.withLock {
            $0.store(cookies, isSecureOrigin: url.scheme == "https", at: date)
        }
    }

    /// Stores a cookie of your own, which replaces one with the same name, domain and path.
    ///
    /// No rule for responses applies: it may be ``HTTP/Cookie/isSecure``, and replace one that is.
    public func set(_ cookie: HTTP.Cookie) {
        contents.withLock { $0.store([cookie], isSecureOrigin: true, at: .distantPast) }
    }

    /// All cookies, in the order in which they were first set.
    public var cookies: [HTTP.Cookie] { contents.withLock { $0.all } }

    /// Removes the matching cookies. Defaults to all, for example after a sign-out.
    public func removeAll(where shouldBeRemoved: @Sendable (HTTP.Cookie) -> Bool = { _ in true }) {
        contents.withLock { $0.removeAll(where: shouldBeRemoved) }
    }
}

extension CookieJar: CustomStringConvertible {
    /// The number of cookies.
    public var description: String { "CookieJar(\(cookies.count) cookies)" }
}

extension CookieJar: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show values.
    public var customMirror: Mirror { Mirror(self, children: ["cookies": cookies.count]) }
}

extension CookieJar {
    /// A jar's cookies, to save between runs of a program.
    ///
    /// > Warning: In encoded form it contains every value as plain text: save it where you keep passwords.
    public struct Snapshot: Sendable, Codable {
        fileprivate let records: [CookieRecord]
    }

    /// Returns the current cookies with their values.
    /// - Parameter includingSession: Whether to include cookies that end with the session. Defaults to `false`.
    public func snapshot(includingSession: Bool = false) -> Snapshot {
        Snapshot(
            records: cookies.filter { includingSession || $0.expiresAt != nil }
                .map(CookieRecord.init)
        )
    }

    /// Creates a jar from a snapshot. Invalid records are left out.
    /// - Parameters:
    ///   - snapshot: The saved cookies.
    ///   - perDomain: The largest number of cookies for one domain. Defaults to 180.
    ///   - total: The largest number of cookies in all. Defaults to 3,000.
    public convenience init(_ snapshot: Snapshot, perDomain: Int = 180, total: Int = 3000) {
        self.init(snapshot.records.compactMap(\.cookie), perDomain: perDomain, total: total)
    }
}

extension CookieJar.Snapshot: CustomStringConvertible {
    /// The number of cookies.
    public var description: String { "Snapshot(\(records.count) cookies)" }
}

extension CookieJar.Snapshot: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show values.
    public var customMirror: Mirror { Mirror(self, children: ["cookies": records.count]) }
}

// The stored format, separate from the type in use.
private struct CookieRecord: Sendable, Codable {
    let name: String
    let value: String
    let domain: String
    let hostOnly: Bool
    let path: String
    let secure: Bool
    let httpOnly: Bool
    let expires: Date?
    let created: Date

    init(_ cookie: HTTP.Cookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        hostOnly = cookie.isHostOnly
        path = cookie.path
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        expires = cookie.expiresAt
        created = cookie.createdAt
    }

    // Others may have changed the stored record, and its text goes into requests.
    var cookie: HTTP.Cookie? {
        var cookie = try? HTTP.Cookie(
            name: name,
            value: value,
            domain: domain,
            path: path,
            isHostOnly: hostOnly,
            isSecure: secure,
            isHTTPOnly: httpOnly,
            expiresAt: expires
        )
        cookie?.createdAt = created
        return cookie
    }
}
