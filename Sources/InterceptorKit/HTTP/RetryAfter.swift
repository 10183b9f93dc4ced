#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Headers {
    /// Returns the time that the server asked to wait (RFC 9110 section 10.2.3), from either form.
    ///
    /// The first of several fields counts. A past date means zero; a negative or malformed value is ignored.
    /// Values beyond a century are cut to one.
    /// - Parameter date: The current date of the wall clock, to compare with.
    public func retryAfter(date: Date) -> Duration? {
        guard let value = values("Retry-After").first, !value.isEmpty else { return nil }
        let century = 100 * 365 * 86_400
        if value.utf8.allSatisfy({ 48...57 ~= $0 }) {
            return .seconds(Swift.min(Int(value) ?? century, century))
        }
        guard let until = HTTP.date(value, now: date) else { return nil }
        let seconds = until.timeIntervalSince(date)
        return .milliseconds(
            Int64((Swift.max(0, Swift.min(seconds, Double(century))) * 1000).rounded(.up))
        )
    }
}
