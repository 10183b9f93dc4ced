import Expectations
import Testing

@testable import InterceptorKit

@Suite("ReportThrottle")
struct ReportThrottleTests {
    private func at(_ milliseconds: Int) -> Runtime.Instant {
        Runtime.Instant(offset: .milliseconds(milliseconds))
    }

    @Test("lets the first count through, and then one in 50 ms")
    func interval() {
        let pace = ReportThrottle(total: nil)

        let times = [7, 8, 56, 57, 58, 106, 107]
        let reported = times.filter { pace.report($0, at: at($0)) != nil }

        expectEqual(reported, [7, 57, 107])
        expectEqual(pace.bytes, 107)
    }

    @Test("lets the last count through, and a smaller one, at any time")
    func exceptions() {
        let pace = ReportThrottle(total: 100)
        _ = pace.report(40, at: at(0))

        let same = pace.report(40, at: at(1))
        let last = pace.report(100, at: at(2))
        let again = pace.report(0, at: at(3))

        expectEqual(same, nil)
        expectTrue(last?["bytes"] == .number(100) && last?["total"] == .number(100))
        expectEqual(again?["bytes"], .number(0))
    }

    @Test("adds what it did not report to what it does")
    func adding() {
        let pace = ReportThrottle(total: nil)

        let counts = [0, 10, 50].map { pace.report(adding: 3, at: at($0))?["bytes"] }

        expectEqual(counts, [.number(3), nil, .number(9)])
        expectEqual(pace.attributes(9)["total"], nil)
    }
}
