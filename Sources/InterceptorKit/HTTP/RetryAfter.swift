#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Headers {
    /// How long the server asked to wait (RFC 9110 section 10.2.3), in either form.
    ///
    /// The first of several fields counts. A date that has passed means zero; a negative or malformed
    /// value is ignored. Values beyond a century are cut to one.
    /// - Parameter date: The wall clock's present, against which a date is read.
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
