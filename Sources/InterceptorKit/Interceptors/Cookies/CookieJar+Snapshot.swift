#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CookieJar {
    /// A jar's cookies, to be kept between runs of a program.
    ///
    /// > Warning: Encoded, it has every value as plain text: keep it where you keep passwords.
    public struct Snapshot: Sendable, Codable {
        fileprivate let records: [CookieRecord]
    }

    /// The cookies that are there now, with their values.
    /// - Parameter includingSession: Whether to include cookies that were meant to end with the session.
    ///   Defaults to `false`.
    public func snapshot(includingSession: Bool = false) -> Snapshot {
        Snapshot(
            records: cookies.filter { includingSession || $0.expiresAt != nil }
                .map(CookieRecord.init)
        )
    }

    /// Creates a jar from a snapshot. Records that are no cookies are left out.
    /// - Parameters:
    ///   - snapshot: What was kept.
    ///   - perDomain: How many cookies are kept for one domain. Defaults to 180.
    ///   - total: How many are kept in all. Defaults to 3,000.
    public convenience init(_ snapshot: Snapshot, perDomain: Int = 180, total: Int = 3000) {
        self.init(perDomain: perDomain, total: total)
        restore(snapshot.records.compactMap(\.cookie))
    }
}

extension CookieJar.Snapshot: CustomStringConvertible {
    /// How many cookies there are.
    public var description: String { "Snapshot(\(records.count) cookies)" }
}

extension CookieJar.Snapshot: CustomReflectable {
    /// The same, so that `dump` and debuggers do not show values.
    public var customMirror: Mirror { Mirror(self, children: ["cookies": records.count]) }
}

// The format of what is kept, apart from the type that is used.
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

    init(_ cookie: Cookie) {
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

    // What was kept may have been changed by others, and goes into requests.
    var cookie: Cookie? {
        guard let set = SetCookie("\(name)=\(value)"), set.name == name, set.value == value,
            path.hasPrefix("/"), !domain.isEmpty
        else { return nil }
        return Cookie(
            name: name,
            value: value,
            domain: domain.lowercased(),
            isHostOnly: hostOnly,
            path: path,
            isSecure: secure,
            isHTTPOnly: httpOnly,
            expiresAt: expires,
            createdAt: created
        )
    }
}
