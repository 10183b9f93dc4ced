import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The differences between servers' clocks and the local clock, learned from the `Date` of refusals.
///
/// It keeps at most 64 origins; a forgotten difference is learned again.
final class ClockSkew: Sendable {
    /// The smallest difference that counts, in seconds, because a response takes time.
    static let threshold: TimeInterval = 30
    private static let limit = 64
    /// The largest difference, in seconds: a century. A date beyond could not be signed, and so never be corrected.
    private static let longest: TimeInterval = 100 * 365 * 86_400

    private let offsets = Lock<[HTTP.Origin: TimeInterval]>([:])

    func offset(for origin: HTTP.Origin?) -> TimeInterval {
        guard let origin else { return 0 }
        return offsets.withLock { $0[origin] ?? 0 }
    }

    /// Learns from a response that refuses a signature.
    /// - Parameters:
    ///   - response: A refusal with status 401 or 403 and the server's `Date`.
    ///   - origin: The origin of the response.
    ///   - used: The offset of the refused signature, in seconds.
    ///   - now: The local date.
    /// - Returns: The new offset in seconds; `nil` if it does not differ from the used one.
    func learn(
        from response: HTTP.Response,
        of origin: HTTP.Origin?,
        used: TimeInterval,
        now: Date
    ) -> TimeInterval? {
        guard let origin, response.status == 401 || response.status == 403,
            // A cached response has an old date.
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
