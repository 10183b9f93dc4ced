import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HTTP dates")
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(
        "are read in all three formats",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun Nov 06 08:49:37 1994",
        ]
    )
    func forms(text: String) {
        expectEqual(HTTP.date(text, now: now), Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "take a two-digit year as at most fifty years ahead",
        arguments: [
            ("94", 784_111_777.0), ("75", 3_340_255_777), ("77", 247_654_177),
        ]
    )
    func shortYears(year: String, seconds: Double) {
        let date = HTTP.date("Sunday, 06-Nov-\(year) 08:49:37 GMT", now: now)

        expectEqual(date, Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "take a two-digit year in 2060 as one of the next century",
        arguments: [("05", 2105), ("11", 2011)]
    )
    func shortYearsLater(year: String, expected: Int) {
        let in2060 = Date(timeIntervalSince1970: 2_840_140_800)

        let date = HTTP.date("Thursday, 01-Jan-\(year) 00:00:00 GMT", now: in2060)

        expectEqual(date, HTTP.date("Thu, 01 Jan \(expected) 00:00:00 GMT", now: in2060))
    }

    @Test(
        "are refused when invalid",
        arguments: [
            "", "now", "Sun, 31 Feb 2026 00:00:00 GMT", "Sun, 29 Feb 2025 00:00:00 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        ]
    )
    func invalid(text: String) {
        expectEqual(HTTP.date(text, now: now), nil)
    }

    @Test("are written and read back, across centuries and leap years")
    func roundTrip() {
        for day in stride(from: -200_000, to: 200_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
            expectEqual(HTTP.date(HTTP.text(for: date), now: now), date)
        }
        expectEqual(
            HTTP.text(for: Date(timeIntervalSince1970: 784_111_777)),
            "Sun, 06 Nov 1994 08:49:37 GMT"
        )
    }

    @Test(
        "are written as the nearest valid date if the year isn't four digits",
        arguments: [
            (Double.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-Double.infinity, "Mon, 01 Jan 0001 00:00:00 GMT"),
            (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Double.nan, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ]
    )
    func beyond(seconds: Double, text: String) {
        expectEqual(HTTP.text(for: Date(timeIntervalSince1970: seconds)), text)
    }
}
