import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie store in memory.
///
/// A jar belongs to one user: in a server, give each user a separate jar. Its size is limited; when it is
/// full, expired cookies are removed first, then the least recently used.
public final class CookieJar: CookieStore {
    private let contents: Lock<JarContents>

    /// Creates an empty jar.
    /// - Parameters:
    ///   - perDomain: The largest number of cookies for one domain; at least 1. Defaults to 180, as in Chrome
    ///     (RFC 6265 section 6.1 asks for 50).
    ///   - total: The largest number of cookies in all; at least 1. Defaults to 3,000, as RFC 6265 asks for.
    public init(perDomain: Int = 180, total: Int = 3000) {
        contents = Lock(JarContents(perDomain: max(1, perDomain), total: max(1, total)))
    }

    /// Returns the cookies to send with a request, in the order to send them.
    public func cookies(for url: HTTP.URL, at date: Date) -> [Cookie] {
        contents.withLock { $0.cookies(for: url, at: date) }
    }

    /// Stores the cookies that a response set.
    ///
    /// A cookie that came over http is not ``Cookie/isSecure``, and does not replace one that is (RFC 6265bis
    /// section 5.7).
    public func store(_ cookies: [Cookie], from url: HTTP.URL, at date: Date) {
        contents.withLock {
            $0.store(cookies, isSecureOrigin: url.scheme == "https", at: date)
        }
    }

    // Cookies that were kept before: the rules for what comes over http do not apply again.
    func restore(_ cookies: [Cookie]) {
        contents.withLock { $0.store(cookies, isSecureOrigin: true, at: .distantPast) }
    }

    /// All cookies, in the order in which they were first set.
    public var cookies: [Cookie] { contents.withLock { $0.all } }

    /// Removes the matching cookies; by default all, for example after a sign-out.
    public func removeAll(where isMeant: @Sendable (Cookie) -> Bool = { _ in true }) {
        contents.withLock { $0.removeAll(where: isMeant) }
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
