#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RateLimitInterceptor where Input == HTTP.Request {
    /// Creates an interceptor that learns from `Retry-After`, `RateLimit` and `RateLimit-Policy`; see
    /// ``HTTP/Response/rateHint(date:)``.
    /// - Parameter limiter: Spaces the calls, and can be shared. Defaults to its own, with no limit except
    ///   the servers' hints.
    public init(_ limiter: RateLimiter = RateLimiter()) {
        self.init(limiter) { response, call in response.rateHint(date: call.runtime.date) }
    }

    /// Creates an interceptor with its own limiter, which learns from the same fields.
    /// - Parameter policy: The rate limit.
    public init(policy: RateLimitPolicy) { self.init(RateLimiter(policy: policy)) }
}

extension HTTP.Response {
    /// Returns the server's rate hint; `nil` if there is none.
    ///
    /// `Retry-After` of a 429 or 503 takes precedence (draft-ietf-httpapi-ratelimit-headers-11, section 6),
    /// followed by the `RateLimit` item that allows the fewest calls. A redirect asks for no pause, because
    /// it may be followed at once.
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
        // Nothing says when it is reset but the length of the window, which is the longest it can take.
        guard let end = resetsIn ?? policy?.window else { return nil }
        if remaining == 0 { return .pause(end) }
        // Bytes left do not say how many calls are.
        guard policy?.unit ?? "requests" == "requests" else { return nil }
        return .quota(remaining: remaining, resetsIn: end)
    }
}

extension RateHint {
    // The longest pause first, then the smallest quota.
    fileprivate var order: (Int, Duration) {
        switch self {
        case .pause(let duration): (-1, .zero - duration)
        case .quota(let remaining, let duration): (remaining, .zero - duration)
        }
    }
}
