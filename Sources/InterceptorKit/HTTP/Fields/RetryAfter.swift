#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Headers {
    /// Returns the time that the server asked to wait (RFC 9110 section 10.2.3), from a number of seconds or a date.
    ///
    /// As OpenAI and Azure send them, fractions of a second are accepted, and `retry-after-ms`, in milliseconds, has
    /// precedence. The first of several fields counts. A past date means zero; a negative or malformed value is
    /// ignored. The result is at most a century.
    /// - Parameter date: The current date of the wall clock, with which a date in the field is compared.
    public func retryAfter(date: Date) -> Duration? { retryAfter(asOf: date) }

    /// Without a date, a date in the field is ignored.
    func retryAfter(asOf date: Date?) -> Duration? {
        let century = 100 * 365 * 86_400.0
        func wait(_ seconds: Double) -> Duration {
            .milliseconds(Int64((Swift.max(0, Swift.min(seconds, century)) * 1000).rounded(.up)))
        }
        if let exact = values("retry-after-ms").first.flatMap(HTTP.decimal) {
            return wait(exact / 1000)
        }
        guard let value = values("Retry-After").first else { return nil }
        if let seconds = HTTP.decimal(value) { return wait(seconds) }
        guard let date else { return nil }
        return HTTP.date(value, now: date).map { wait($0.timeIntervalSince(date)) }
    }
}

extension HTTP {
    // Digits, with or without a fraction.
    fileprivate static func decimal(_ text: String) -> Double? {
        guard let first = text.utf8.first, 48...57 ~= first,
            text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
