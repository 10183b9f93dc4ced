import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The caching fields of a stored response, parsed once when it is stored or loaded.
///
/// A class, because stored responses are copied more often than created.
final class CacheMetadata: Sendable {
    let directives: CacheDirectives
    /// The received `Age`, in seconds.
    let age: Int
    /// The origin's `Date`; without one, the date of receipt.
    let date: Date
    let expires: Expiry
    let lastModified: Date?
    let entityTag: EntityTag?

    enum Expiry: Sendable {
        case unstated
        /// An unreadable date, which counts as expired (RFC 9111 section 5.3).
        case unreadable
        case at(Date)
    }

    init(_ headers: HTTP.Headers, responseDate: Date) {
        directives = CacheDirectives(headers.values("Cache-Control"))
        // The first member counts; if it is not a number, the field counts as absent (section 5.1).
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
    /// Parses a date, also one with letters in the wrong case, which some servers send.
    fileprivate static func lenientDate(_ text: String, now: Date) -> Date? {
        if let date = date(text, now: now) { return date }
        let words = text.split(at: " ", omittingEmptySubsequences: false).map { word in
            word.lowercased() == "gmt"
                ? "GMT" : word.prefix(1).uppercased() + word.dropFirst().lowercased()
        }
        return date(words.joined(separator: " "), now: now)
    }
}
