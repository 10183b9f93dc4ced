#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is in a jar: the storage model of RFC 6265 section 5.3, without time or chance of its own.
struct JarContents: Sendable {
    private struct Entry {
        var cookie: Cookie
        // The jar's own count of events, since many cookies may be set at one instant.
        let order: Int
        var lastUse: Int
    }

    private let perDomain: Int
    private let total: Int
    private var domains: [String: [Entry]] = [:]
    private var events = 0

    init(perDomain: Int, total: Int) {
        self.perDomain = perDomain
        self.total = total
    }

    private var count: Int { domains.values.reduce(0) { $0 + $1.count } }

    var all: [Cookie] {
        domains.values.joined().sorted { $0.order < $1.order }.map(\.cookie)
    }

    mutating func cookies(for url: HTTP.URL, at date: Date) -> [Cookie] {
        guard let host = url.host else { return [] }
        events += 1
        var found: [Entry] = []
        for domain in Self.domains(of: host) {
            guard var entries = domains[domain] else { continue }
            for index in entries.indices where entries[index].cookie.isSent(to: url, at: date) {
                entries[index].lastUse = events
                found.append(entries[index])
            }
            domains[domain] = entries
        }
        return found.sorted { $0.order < $1.order }.map(\.cookie).sent(to: url, at: date)
    }

    mutating func store(_ cookie: Cookie, isSecureOrigin: Bool, at date: Date) {
        if !isSecureOrigin, !cookie.isSecure, shadowsSecure(cookie) { return }
        events += 1
        var entries = domains[cookie.domain] ?? []
        let present = entries.firstIndex { $0.cookie.isSameCookie(as: cookie) }
        if cookie.hasEnded(at: date) {
            if let present { entries.remove(at: present) }
        } else if let present {
            let createdAt = entries[present].cookie.createdAt
            entries[present].cookie = cookie
            entries[present].cookie.createdAt = createdAt
            entries[present].lastUse = events
        } else {
            entries.append(Entry(cookie: cookie, order: events, lastUse: events))
        }
        domains[cookie.domain] = entries.isEmpty ? nil : entries
    }

    mutating func removeAll(where isMeant: (Cookie) -> Bool) {
        domains = domains.compactMapValues { entries in
            let kept = entries.filter { !isMeant($0.cookie) }
            return kept.isEmpty ? nil : kept
        }
    }

    /// Brings the jar back to its limits: what has ended goes first, then what was used longest ago of
    /// a domain with too many, then of all.
    mutating func evict(at date: Date) {
        let full = domains.filter { $0.value.count > perDomain }.keys
        guard !full.isEmpty || count > total else { return }
        removeAll { $0.hasEnded(at: date) }
        for domain in full {
            guard let entries = domains[domain], entries.count > perDomain else { continue }
            let kept = entries.sorted { $0.lastUse > $1.lastUse }.prefix(perDomain)
            domains[domain] = kept.sorted { $0.order < $1.order }
        }
        let uses = domains.values.joined().map { ($0.lastUse, $0.order) }.sorted(by: >)
        guard uses.count > total else { return }
        let oldest = uses[total - 1]
        domains = domains.compactMapValues { entries in
            let kept = entries.filter { ($0.lastUse, $0.order) >= oldest }
            return kept.isEmpty ? nil : kept
        }
    }

    // RFC 6265bis section 5.7: whoever is on the way of an http answer must not put a cookie in front
    // of one that only https has.
    private func shadowsSecure(_ cookie: Cookie) -> Bool {
        domains.values.joined().contains { entry in
            let other = entry.cookie
            return other.isSecure && other.name == cookie.name
                && (Cookie.isHost(other.domain, in: cookie.domain)
                    || Cookie.isHost(cookie.domain, in: other.domain))
                && Cookie.isPath(cookie.path, under: other.path)
        }
    }

    // The host itself and all it is below; few, because a name has at most 127 labels.
    private static func domains(of host: String) -> [String] {
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: "."), domains.count < 128 {
            rest = rest[rest.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }
}

extension Cookie {
    fileprivate func isSameCookie(as other: Cookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly
    }
}
