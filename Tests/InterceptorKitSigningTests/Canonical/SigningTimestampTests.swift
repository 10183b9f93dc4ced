import Expectations
import Foundation
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SigningTimestamp")
struct SigningTimestampTests {
    @Test(
        "refuses dates that no timestamp can express",
        arguments: [
            TimeInterval.infinity, -.infinity, .nan, 1e300, -1e15, 253_402_300_800,
        ]
    )
    func dates(_ date: TimeInterval) {
        #expect {
            try SigningTimestamp(Date(timeIntervalSince1970: date))
        } throws: { ($0 as? SigningError)?.code == .invalidDate }
    }

    @Test(
        "is written in the calendar of UTC, from the year 1 to 9999",
        arguments: [
            (-62_135_596_800, "00010101T000000Z"), (-86_401, "19691230T235959Z"),
            (-1, "19691231T235959Z"), (-0.5, "19691231T235959Z"), (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
            (4_107_542_400, "21000301T000000Z"), (253_402_300_799, "99991231T235959Z"),
        ] as [(TimeInterval, String)]
    )
    func basic(seconds: TimeInterval, text: String) throws {
        let time = try SigningTimestamp(Date(timeIntervalSince1970: seconds))

        expectEqual(time.basicText, text)
        expectEqual(SigningTimestamp(basic: text), time)
    }

    @Test("is read from a field's date in GMT, or with an offset of nothing")
    func httpDates() {
        expectEqual(SigningTimestamp.httpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
        expectEqual(SigningTimestamp.httpDate("Sun, 06 Nov 1994 08:49:37 +0000"), 784_111_777)
        expectEqual(
            SigningTimestamp(seconds: 784_111_777).httpDate,
            "Sun, 06 Nov 1994 08:49:37 GMT"
        )
        for text in ["Sun, 06 Nov 1994 08:49:37 +0100", "784111777", " +0000", ""] {
            expectEqual(SigningTimestamp.httpDate(text), nil)
        }
    }
}
