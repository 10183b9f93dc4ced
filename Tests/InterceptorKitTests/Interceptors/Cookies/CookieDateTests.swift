import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates as servers write them, by the algorithm of RFC 6265 section 5.1.1.
@Suite("Cookie dates")
struct CookieDateTests {
    @Test(
        "reads dates in any order and with any separators",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("6 Nov 1994 08:49:37 +0200", 784_111_777),
            ("1994 november 6 8:49:37", 784_111_777),
            ("08:49:37 6 NOV 1994", 784_111_777),
            ("Mon,06/nov/1994;08:49:37", 784_111_777),
            ("06 Nov 1994 08:49:37.123", 784_111_777),
            ("06th Nov 1994x 08:49:37pm", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 01-Jan-70 00:00:01 GMT", 1),
            ("Fri, 31 Dec 99 23:59:59", 946_684_799),
            ("31 Dec 69 23:59:59", 3_155_759_999),
            ("1 Jan 0 0:0:0 2000", 946_684_800), ("29 Feb 2000 00:00:00", 951_782_400),
            ("01 Jan 1601 00:00:00", -11_644_473_600),
            ("31 Dec 9999 23:59:59", 253_402_300_799),
        ]
    )
    func read(text: String, seconds: Int) {
        expectEqual(HTTP.cookieDate(text).map { Int($0.timeIntervalSince1970) }, seconds)
    }

    @Test(
        "reads no date with a missing or impossible part",
        arguments: [
            "", "GMT", "06 Nov 1994", "08:49:37", "Nov 1994 08:49:37", "06 1994 08:49:37",
            "06 Nov 08:49:37", "31 Feb 2000 00:00:00", "29 Feb 1900 00:00:00",
            "00 Jan 2000 00:00:00",
            "32 Jan 2000 00:00:00", "01 Jan 2000 24:00:00", "01 Jan 2000 00:60:00",
            "01 Jan 2000 00:00:60", "01 Jan 1600 00:00:00", "01 Jan 20000 00:00:00",
            "01 Jan 2000 000:00:00", "01 Jan 2000 00:00", "1 Jan 9 00:00:00",
            "123 Jan 2000x 00:00:00",
            "tomorrow at noon", "01 Jän 2000 00:00:00", String(repeating: "9", count: 1000),
        ]
    )
    func refused(text: String) {
        expectEqual(HTTP.cookieDate(text), nil)
    }
}
