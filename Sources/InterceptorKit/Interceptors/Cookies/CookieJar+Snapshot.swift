#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CookieJar {
    /// A jar's cookies, to save between runs of a program.
    ///
    /// > Warning: Encoded, it contains every value as plain text: save it where you keep passwords.
    public struct Snapshot: Sendable, Codable {
        fileprivate let records: [CookieRecord]
    }

    /// Returns the current cookies with their values.
    /// - Parameter includingSession: Whether to include cookies that should end with the session. Defaults
    ///   to `false`.
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
        self.init(perDomain: perDomain, total: total)
        restore(snapshot.records.compactMap(\.cookie))
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
            path.begins(with: "/"), !domain.isEmpty
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
