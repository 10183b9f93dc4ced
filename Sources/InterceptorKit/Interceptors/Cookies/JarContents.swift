#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of a jar: the storage model of RFC 6265 section 5.3, without clock or randomness.
struct JarContents: Sendable {
    // The properties that identify a cookie within its domain.
    private struct Key: Hashable {
        let name: String
        let path: String
        let isHostOnly: Bool

        init(_ cookie: HTTP.Cookie) {
            name = cookie.name
            path = cookie.path
            isHostOnly = cookie.isHostOnly
        }
    }

    private struct Entry {
        var cookie: HTTP.Cookie
        // The jar's own count of events, because many cookies may be set at one time.
        let order: Int
        var lastUse: Int

        // The least recently used goes first; of those used together, the oldest.
        static func isUsedLater(_ left: Entry, _ right: Entry) -> Bool {
            (left.lastUse, left.order) > (right.lastUse, right.order)
        }
    }

    private let perDomain: Int
    private let total: Int
    // Found by key, so that a lookup takes the same time in a large jar.
    private var domains: [String: [Key: Entry]] = [:]
    private var events = 0

    init(perDomain: Int, total: Int) {
        self.perDomain = perDomain
        self.total = total
    }

    private var count: Int { domains.values.reduce(0) { $0 + $1.count } }

    var all: [HTTP.Cookie] {
        entries.sorted { $0.order < $1.order }.map(\.cookie)
    }

    private var entries: some Sequence<Entry> { domains.values.lazy.flatMap(\.values) }

    mutating func cookies(for url: HTTP.URL, at date: Date) -> [HTTP.Cookie] {
        guard let host = url.host else { return [] }
        events += 1
        var found: [Entry] = []
        for domain in Self.domains(of: host) {
            guard var entries = domains[domain] else { continue }
            for index in entries.values.indices
            where entries.values[index].cookie.isSent(to: url, at: date) {
                entries.values[index].lastUse = events
                found.append(entries.values[index])
            }
            domains[domain] = entries
        }
        return found.sorted { $0.order < $1.order }.map(\.cookie).sent(to: url, at: date)
    }

    /// Stores cookies in the order in which they were set, then evicts down to the limits.
    /// - Parameter isSecureOrigin: Whether they came over https. Other cookies are stored only if they are not secure
    ///   and do not shadow a secure cookie (RFC 6265bis section 5.7).
    mutating func store(_ cookies: [HTTP.Cookie], isSecureOrigin: Bool, at date: Date) {
        let secure = isSecureOrigin ? nil : secureByName
        for cookie in cookies {
            if let secure, cookie.isSecure || cookie.shadows(secure[cookie.name] ?? []) { continue }
            store(cookie, at: date)
        }
        evict(at: date)
    }

    private mutating func store(_ cookie: HTTP.Cookie, at date: Date) {
        events += 1
        let key = Key(cookie)
        if cookie.hasEnded(at: date) {
            domains[cookie.domain]?[key] = nil
            if domains[cookie.domain]?.isEmpty == true { domains[cookie.domain] = nil }
        } else if let known = domains[cookie.domain]?[key] {
            var cookie = cookie
            cookie.createdAt = known.cookie.createdAt
            domains[cookie.domain]?[key] = Entry(
                cookie: cookie,
                order: known.order,
                lastUse: events
            )
        } else {
            let entry = Entry(cookie: cookie, order: events, lastUse: events)
            domains[cookie.domain, default: [:]][key] = entry
        }
    }

    mutating func removeAll(where shouldBeRemoved: (HTTP.Cookie) -> Bool) {
        domains = domains.compactMapValues { entries in
            let kept = entries.filter { !shouldBeRemoved($0.value.cookie) }
            return kept.isEmpty ? nil : kept
        }
    }

    /// Evicts down to the limits: expired cookies first, then the least recently used of each full domain, then of all.
    private mutating func evict(at date: Date) {
        let full = domains.filter { $0.value.count > perDomain }.keys
        guard !full.isEmpty || count > total else { return }
        removeAll { $0.hasEnded(at: date) }
        for domain in full {
            guard let entries = domains[domain], entries.count > perDomain else { continue }
            let kept = entries.sorted { Entry.isUsedLater($0.value, $1.value) }.prefix(perDomain)
            domains[domain] = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
        }
        let used = entries.sorted(by: Entry.isUsedLater)
        guard used.count > total else { return }
        let oldest = used[total - 1]
        domains = domains.compactMapValues { entries in
            let kept = entries.filter { !Entry.isUsedLater(oldest, $0.value) }
            return kept.isEmpty ? nil : kept
        }
    }

    private var secureByName: [String: [HTTP.Cookie]] {
        Dictionary(grouping: entries.lazy.map(\.cookie).filter(\.isSecure), by: \.name)
    }

    // The host and its parent domains; few, because a name has at most 127 labels.
    private static func domains(of host: String) -> [String] {
        var domains = [host]
        var rest = host[...]
        while let dot = rest.unicodeScalars.firstIndex(of: "."), domains.count < 128 {
            rest = rest[rest.unicodeScalars.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }
}

extension HTTP.Cookie {
    /// Whether this cookie would be sent before a secure cookie of its name (RFC 6265bis section 5.7), as an attacker
    /// on the path of an http response might want.
    fileprivate func shadows(_ secure: [HTTP.Cookie]) -> Bool {
        secure.contains { other in
            (Self.isHost(other.domain, in: domain) || Self.isHost(domain, in: other.domain))
                && Self.isPath(path, under: other.path)
        }
    }
}
