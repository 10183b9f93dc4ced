import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The RFC 3339 format of dates, as AWS writes them.
enum AWSTimestamp {
    /// Parses `2026-01-31T12:00:00Z`. A fraction is accepted and dropped, and an offset may replace `Z`. As in some
    /// caches and processes, a blank may replace `T`, and a missing zone means UTC.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes.count <= 40, bytes[4] == 0x2D, bytes[7] == 0x2D,
            [0x54, 0x74, 0x20].contains(bytes[10]), bytes[13] == 0x3A, bytes[16] == 0x3A,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            year > 0, 1...12 ~= month, hour < 24, minute < 60, second < 60
        else { return nil }
        var rest = bytes[19...]
        if rest.first == 0x2E {
            rest = rest.dropFirst().drop { 48...57 ~= $0 }
            guard bytes[rest.startIndex - 1] != 0x2E else { return nil }
        }
        guard let offset = offset(rest) else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second
        return HTTP.date(year: year, month: month, day: day, seconds: seconds - offset)
    }

    /// The offset of a zone from UTC, in seconds; positive if it is ahead.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        guard let sign = zone.first else { return 0 }
        if zone.count == 1 { return sign == 0x5A || sign == 0x7A ? 0 : nil }
        let digits = zone.dropFirst().filter { $0 != 0x3A }
        if digits.elementsEqual("UTC".utf8.dropFirst()) { return 0 }
        guard sign == 0x2B || sign == 0x2D, digits.count == 4, let hours = number(digits.prefix(2)),
            let minutes = number(digits.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (sign == 0x2B ? 1 : -1) * (hours * 60 + minutes) * 60
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}
