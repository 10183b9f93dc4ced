#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP {
    /// Reads the date of an `Expires` attribute, which servers write in any order and with any separators (RFC 6265
    /// section 5.1.1). Zones are ignored: all dates are UTC.
    /// - Returns: `nil` if a part is missing or the date does not exist.
    static func cookieDate(_ text: String) -> Date? {
        var time: Int?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDateDelimiter) {
            if time == nil, let found = timeOfDay(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year, time >= 0 else { return nil }
        if 70...99 ~= year { year += 1900 } else if 0...69 ~= year { year += 2000 }
        guard year >= 1601 else { return nil }
        return date(year: year, month: month, day: day, seconds: time)
    }

    // All printable characters but digits, letters and the colon.
    private static func isDateDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    // The digits at the token's beginning; one more digit must not follow.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let found = token.prefix { 48...57 ~= $0 }
        guard digits ~= found.count else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    // The seconds since midnight; -1 for an invalid time, whose token is consumed nevertheless.
    private static func timeOfDay(_ token: Substring.UTF8View) -> Int? {
        let fields = token.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard fields.count == 3, fields[0].count <= 2, fields[1].count <= 2,
            fields[0].allSatisfy({ 48...57 ~= $0 }), fields[1].allSatisfy({ 48...57 ~= $0 }),
            let hour = number(fields[0], digits: 1...2),
            let minute = number(fields[1], digits: 1...2),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        guard hour < 24, minute < 60, second < 60 else { return -1 }
        return (hour * 60 + minute) * 60 + second
    }

    private static func monthNumber(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
        return months.firstIndex { $0.lowercased() == name }.map { $0 + 1 }
    }
}
