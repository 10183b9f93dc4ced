#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Response {
    /// Returns the server's rate hint; `nil` if there is none.
    ///
    /// `Retry-After` of a 429 or 503 takes precedence (draft-ietf-httpapi-ratelimit-headers-11, section 6), followed by
    /// the `RateLimit` item that allows the fewest calls. A redirect has no rate hint, because it may be followed at
    /// once.
    public func rateHint(date: @autoclosure () -> Date) -> RateHint? {
        if status.code == 429 || status.code == 503, let wait = headers.retryAfter(date: date()) {
            return .pause(wait)
        }
        guard !status.isRedirection, headers.contains("RateLimit") else { return nil }
        let policies = headers.quotaPolicies
        return headers.rateLimits
            .compactMap { $0.hint(policies) }
            .min { $0.order < $1.order }
    }
}

extension HTTP.RateLimit {
    fileprivate func hint(_ policies: [HTTP.QuotaPolicy]) -> RateHint? {
        let policy = policies.first { $0.name == name }
        // Without a reset time, the length of the window is the longest that a reset can take.
        guard let end = resetsIn ?? policy?.window else { return nil }
        if remaining == 0 { return .pause(end) }
        // A number of remaining bytes does not say how many calls remain.
        guard policy?.unit ?? "requests" == "requests" else { return nil }
        return .quota(remaining: remaining, resetsIn: end)
    }
}

extension RateHint {
    // The longest pause is first, then the smallest quota.
    fileprivate var order: (Int, Duration) {
        switch self {
        case .pause(let duration): (-1, .zero - duration)
        case .quota(let remaining, let duration): (remaining, .zero - duration)
        }
    }
}
