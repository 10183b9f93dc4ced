import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a stored response's fields say about reusing it, read once when it is stored or loaded.
///
/// One reference, because stored responses are copied more often than they are made.
final class CacheMetadata: Sendable {
    let directives: CacheDirectives
    /// What its `Age` said when it came, in seconds.
    let age: Int
    /// When the origin made it; when it came, for one that does not say.
    let date: Date
    let expires: Expiry
    let lastModified: Date?
    let entityTag: EntityTag?

    enum Expiry: Sendable {
        case unstated
        /// Stated so that nobody can read it, which means that it has expired (RFC 9111 section 5.3).
        case unreadable
        case at(Date)
    }

    init(_ headers: HTTP.Headers, responseDate: Date) {
        directives = CacheDirectives(headers.values("Cache-Control"))
        // The first member counts, and one that isn't a number counts as absent (section 5.1).
        let ages = headers.values("Age").first.map { CacheDirectives.members(of: $0) }
        age = CacheDirectives.seconds(ages?.first) ?? 0
        func date(_ name: String) -> Date? {
            let values = headers.values(name)
            guard values.count == 1 else { return nil }
            return HTTP.lenientDate(values[0], now: responseDate)
        }
        self.date = date("Date") ?? responseDate
        lastModified = date("Last-Modified")
        expires =
            if let moment = date("Expires") {
                .at(moment)
            } else {
                headers.contains("Expires") ? .unreadable : .unstated
            }
        entityTag = headers["ETag"].flatMap { EntityTag($0) }
    }
}

extension HTTP {
    /// A date, also with letters in the wrong case, as some servers write it.
    fileprivate static func lenientDate(_ text: String, now: Date) -> Date? {
        if let date = date(text, now: now) { return date }
        let words = text.split(at: " ", omittingEmptySubsequences: false).map { word in
            word.lowercased() == "gmt"
                ? "GMT" : word.prefix(1).uppercased() + word.dropFirst().lowercased()
        }
        return date(words.joined(separator: " "), now: now)
    }
}
