import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How far servers' clocks are from ours, learned from the `Date` of their refusals.
///
/// Bounded: it remembers the last 64 origins or so, and without one only learns again.
final class ClockSkew: Sendable {
    /// Differences of less than 30 s are ignored, because a response takes time.
    static let threshold: TimeInterval = 30
    private static let limit = 64
    /// No clock is wrong by more than a century: a time beyond could not be signed, so nothing would correct it.
    private static let longest: TimeInterval = 100 * 365 * 86_400

    private let offsets = Lock<[HTTP.Origin: TimeInterval]>([:])

    func offset(for origin: HTTP.Origin?) -> TimeInterval {
        guard let origin else { return 0 }
        return offsets.withLock { $0[origin] ?? 0 }
    }

    /// Learns from a response that refuses a signature.
    /// - Parameters:
    ///   - response: Refuses with 401 or 403, and says the server's time.
    ///   - origin: Who answered.
    ///   - used: The offset that the signature was made with.
    ///   - now: The present by our clock.
    /// - Returns: The new offset if it differs from the used one.
    func learn(
        from response: HTTP.Response,
        of origin: HTTP.Origin?,
        used: TimeInterval,
        now: Date
    ) -> TimeInterval? {
        guard let origin, response.status == 401 || response.status == 403,
            // What a cache answers has an old date.
            !response.headers.contains("Age"),
            let date = response.headers["Date"].flatMap({ HTTP.date($0, now: now) })
        else { return nil }
        let offset = date.timeIntervalSince(now)
        guard abs(offset) <= Self.longest, abs(offset - used) >= Self.threshold else { return nil }
        offsets.withLock { offsets in
            if offsets.count >= Self.limit, offsets[origin] == nil, let other = offsets.keys.first {
                offsets[other] = nil
            }
            offsets[origin] = offset
        }
        return offset
    }
}
