import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The age and the freshness lifetime of a stored response (RFC 9111 section 4.2), in seconds.
///
/// Floating point, so that no age or date from a server overflows.
struct Freshness {
    let age: Double
    let lifetime: Double

    /// Computes the freshness. A response from the future, because the clock was set back, has no known age and counts
    /// as stale.
    init(_ stored: StoredResponse, now: Date, policy: CachePolicy) {
        let metadata = stored.metadata
        let resident = now.timeIntervalSince(stored.responseDate)
        let delay = max(0, stored.responseDate.timeIntervalSince(stored.requestDate))
        let apparent = max(0, stored.responseDate.timeIntervalSince(metadata.date))
        let initial = max(apparent, Double(metadata.age) + delay)
        age = resident < -Self.tolerance ? .infinity : initial + max(0, resident)
        lifetime = Self.lifetime(stored, policy)
    }

    // The clocks of processes that share a disk, and a clock under adjustment, differ slightly.
    private static let tolerance = 5.0

    var isFresh: Bool { age < lifetime }
    var staleness: Double { max(0, age - lifetime) }

    /// The value of the `Age` field, at most 2^31 (section 1.2.2).
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

    /// A fraction of the time since the last modification (section 4.2.2).
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
