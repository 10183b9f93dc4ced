import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How old a stored response is, and how old it may become (RFC 9111 section 4.2), in seconds.
///
/// Floating point, so that no age or date that a server can state overflows.
struct Freshness {
    let age: Double
    let lifetime: Double

    /// Where the present lies: what is stored from the future, because a clock was set back, is of no
    /// known age and counts as stale.
    init(_ stored: StoredResponse, now: Date, policy: CachePolicy) {
        let metadata = stored.metadata
        let resident = now.timeIntervalSince(stored.responseDate)
        let delay = max(0, stored.responseDate.timeIntervalSince(stored.requestDate))
        let apparent = max(0, stored.responseDate.timeIntervalSince(metadata.date))
        let initial = max(apparent, Double(metadata.age) + delay)
        age = resident < -Self.tolerance ? .infinity : initial + max(0, resident)
        lifetime = Self.lifetime(stored, policy)
    }

    // Clocks of processes on one disk, and of a machine that is being set, differ by a little.
    private static let tolerance = 5.0

    var isFresh: Bool { age < lifetime }
    var staleness: Double { max(0, age - lifetime) }

    /// The age as the field states it, at most 2^31 (section 1.2.2).
    var statedAge: Int { age < 2_147_483_648 ? Int(age) : 2_147_483_648 }

    private static func lifetime(_ stored: StoredResponse, _ policy: CachePolicy) -> Double {
        let metadata = stored.metadata
        if policy.scope == .shared, let seconds = metadata.directives.sharedMaxAge {
            return Double(seconds)
        }
        if let seconds = metadata.directives.maxAge { return Double(seconds) }
        switch metadata.expires {
        case .at(let date): return date.timeIntervalSince(metadata.date)
        case .unreadable: return 0
        case .unstated: return guessedLifetime(stored, policy)
        }
    }

    /// A fraction of the time for which it had not changed (section 4.2.2).
    private static func guessedLifetime(_ stored: StoredResponse, _ policy: CachePolicy) -> Double {
        let metadata = stored.metadata
        guard let modified = metadata.lastModified,
            !stored.key.url.utf8.contains(UInt8(ascii: "?")),
            CacheRules.isHeuristicallyCacheable(stored.status) || metadata.directives.isPublic
        else { return 0 }
        let unchanged = max(0, metadata.date.timeIntervalSince(modified))
        return min(unchanged * policy.heuristicFraction, policy.heuristicLimit.inSeconds)
    }
}
