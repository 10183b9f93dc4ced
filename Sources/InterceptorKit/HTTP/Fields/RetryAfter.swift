#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Headers {
    /// Returns the time that the server asked to wait (RFC 9110 section 10.2.3), from either form.
    ///
    /// A fraction of a second is taken too, and `retry-after-ms` in milliseconds before it, as OpenAI and Azure
    /// send them. The first of several fields counts. A past date means zero; a negative or malformed value is
    /// ignored. Values beyond a century are cut to one.
    /// - Parameter date: The current date of the wall clock, to compare with.
    public func retryAfter(date: Date) -> Duration? { retryAfter(asOf: date) }

    /// The same; without a date, a date in the field says nothing.
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
    // Digits, with a fraction or not.
    fileprivate static func decimal(_ text: String) -> Double? {
        guard let first = text.utf8.first, 48...57 ~= first,
            text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }
}
