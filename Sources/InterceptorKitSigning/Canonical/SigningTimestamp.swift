package import InterceptorKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A UTC calendar time in the years 1 to 9999.
package struct SigningTimestamp: Sendable, Hashable {
    package let seconds: Int
    let year: Int
    let month: Int
    let day: Int
    /// The number of days since 1970-01-01.
    package let dayNumber: Int

    package init(_ date: Date) throws(SigningError) {
        let interval = date.timeIntervalSince1970.rounded(.down)
        // 0001-01-01 and 9999-12-31.
        guard interval >= -62_135_596_800, interval <= 253_402_300_799 else {
            throw SigningError(
                .invalidDate,
                "The date to sign with is not within the years 1 to 9999, which is all that a "
                    + "timestamp can say. Check the clock."
            )
        }
        self.init(seconds: Int(interval))
    }

    package init(seconds: Int) {
        self.seconds = seconds
        dayNumber = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        (year, month, day) = HTTP.civil(daysSinceEpoch: dayNumber)
    }

    var hour: Int { (seconds - dayNumber * 86_400) / 3600 }
    var minute: Int { (seconds - dayNumber * 86_400) / 60 % 60 }
    var second: Int { (seconds - dayNumber * 86_400) % 60 }
}

extension SigningTimestamp {
    /// The time as in `20150830T123600Z`.
    package var basicText: String {
        var text = CanonicalWriter(capacity: 16)
        text.appendBasic(self)
        return text.string
    }
}

extension CanonicalWriter {
    /// Appends a day as in `20150830`.
    package mutating func appendDay(_ time: SigningTimestamp) {
        append(time.year, digits: 4)
        append(time.month, digits: 2)
        append(time.day, digits: 2)
    }

    /// Appends a time as in `20150830T123600Z`.
    package mutating func appendBasic(_ time: SigningTimestamp) {
        appendDay(time)
        append("T" as Unicode.Scalar)
        append(time.hour, digits: 2)
        append(time.minute, digits: 2)
        append(time.second, digits: 2)
        append("Z" as Unicode.Scalar)
    }

    /// Appends a number with two or four digits.
    mutating func append(_ number: Int, digits: Int) {
        if digits > 2 { append(number / 100, digits: digits - 2) }
        append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number / 10 % 10)))
        append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number % 10)))
    }
}

extension SigningTimestamp {
    /// The time as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String { HTTP.text(for: Date(timeIntervalSince1970: Double(seconds))) }

    /// Parses an HTTP date to seconds since 1970. `+0000` is accepted for `GMT`, as by object stores.
    package static func httpDate(_ text: String) -> Int? {
        let text = text.rest(before: " +0000").map { "\($0) GMT" } ?? text
        return HTTP.date(text, now: Date(timeIntervalSince1970: 0)).map {
            Int($0.timeIntervalSince1970)
        }
    }
}
