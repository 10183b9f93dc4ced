#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// Reads a date in any of the three forms that servers send (RFC 9110 section 5.6.7).
    /// - Parameters:
    ///   - text: The date, as in `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - now: The current date. A two-digit year means the latest such year that is at most fifty years ahead.
    /// - Returns: `nil` if the text isn't a date.
    public static func date(_ text: String, now: Date) -> Date? {
        let words = text.split(at: " ").flatMap { $0.split(at: ",") }.map(String.init)
        // The length rules out extra blanks and missing commas.
        let length = text.utf8.count
        switch words.count {
        case 6
        where words[5] == "GMT" && length == 29 && text.utf8.dropFirst(3).starts(with: ", ".utf8):
            return date(year: number(words[3], digits: 4), words[2], words[1], words[4])
        case 4
        where words[3] == "GMT" && text.begins(with: words[0] + ", ") && words[0].ends(with: "day"):
            guard length == words[0].utf8.count + 24 else { return nil }
            let parts = words[1].split(at: "-").map(String.init)
            guard parts.count == 3, let short = number(parts[2], digits: 2) else { return nil }
            let present = civil(daysSinceEpoch: days(clamped(now))).year
            var year = present - present % 100 + short
            if year > present + 50 { year -= 100 }
            if year + 100 <= present + 50 { year += 100 }
            return date(year: year, parts[1], parts[0], words[2])
        case 5 where length == 24 && !text.holds(","):
            let day = words[2].count == 1 ? "0" + words[2] : words[2]
            return date(year: number(words[4], digits: 4), words[1], day, words[3])
        default:
            return nil
        }
    }

    /// Returns a date in the form to send, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// The year has four digits: a date outside the years 1 to 9999 becomes the nearest date in them, and a date that
    /// isn't a number becomes the beginning of 1970.
    public static func text(for date: Date) -> String {
        let date = clamped(date)
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = days(date)
        let (year, month, dayOfMonth) = civil(daysSinceEpoch: day)
        let time = seconds - day * 86_400
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
        let padding = String(repeating: "0", count: max(0, 4 - "\(year)".count))
        let weekday = weekdays[((day + 4) % 7 + 7) % 7]
        return "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(padding)\(year) \(clock) GMT"
    }

    private static func clamped(_ date: Date) -> Date {
        let seconds = date.timeIntervalSince1970
        guard !seconds.isNaN else { return Date(timeIntervalSince1970: 0) }
        return Date(timeIntervalSince1970: min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func number(_ text: String, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }

    private static func date(year: Int?, _ monthName: String, _ day: String, _ clock: String)
        -> Date?
    {
        let fields = clock.split(at: ":", omittingEmptySubsequences: false).map(String.init)
        guard let year, let index = months.firstIndex(of: monthName), fields.count == 3,
            let day = number(day, digits: 2), let hour = number(fields[0], digits: 2),
            let minute = number(fields[1], digits: 2), let second = number(fields[2], digits: 2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return date(
            year: year,
            month: index + 1,
            day: day,
            seconds: (hour * 60 + minute) * 60 + second
        )
    }

    /// Returns the date that is `seconds` after the beginning of a day in UTC; `nil` if there is no such day.
    package static func date(year: Int, month: Int, day: Int, seconds: Int) -> Date? {
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let length = monthLengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
        guard 1...length ~= day else { return nil }
        let days = daysSinceEpoch(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + seconds))
    }

    private static func days(_ date: Date) -> Int {
        Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    }

    // The proleptic Gregorian calendar in whole days. Years begin on 1 March, so that a leap day is last; an era is 400
    // years of 146,097 days, and 719,468 days lie between 1 March 0000 and the epoch.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
