import Expectations
import InterceptorKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The Retry-After field")
struct RetryAfterFieldTests {
    @Test(
        "is read as RFC 9110 section 10.2.3 shows it",
        arguments: [("Fri, 31 Dec 1999 23:59:59 GMT", 60.0), ("120", 120)]
    )
    func published(value: String, seconds: Double) {
        let minuteBefore = Date(timeIntervalSince1970: 946_684_739)

        expectEqual(
            HTTP.Headers([("Retry-After", value)]).retryAfter(date: minuteBefore),
            .seconds(seconds)
        )
    }

    @Test(
        "is cut to a century, rounded up to milliseconds, and none if malformed",
        arguments: [
            (["99999999999999999999999"], .seconds(3_153_600_000)),
            (["Fri, 31 Dec 9999 23:59:59 GMT"], .seconds(3_153_600_000)),
            (["Thu, 01 Jan 2026 00:00:01 GMT"], .milliseconds(750)),
            (["Thu, 01 Jan 2026 00:00:00 GMT"], .zero), (["7", "9"], .seconds(7)),
            (["soon", "9"], nil), (["-1"], nil), (["1.5"], .milliseconds(1500)), (["+1"], nil),
            (["0.0004"], .milliseconds(1)), (["1.2.3"], nil), ([".5"], nil), (["1e3"], nil),
            (["٣"], nil),
            ([""], nil), ([], nil),
        ] as [([String], Duration?)]
    )
    func bounds(values: [String], wait: Duration?) {
        let date = Date(timeIntervalSince1970: 1_767_225_600.2501)
        let headers = HTTP.Headers(values.map { ("Retry-After", $0) })

        expectEqual(headers.retryAfter(date: date), wait)
    }

    @Test(
        "gives way to milliseconds, if they are well-formed",
        arguments: [("1500", 1500), ("0.5", 1), ("soon", 7000), ("-1", 7000), ("", 7000)]
    )
    func milliseconds(value: String, wait: Int) {
        let headers = HTTP.Headers([("Retry-After", "7"), ("Retry-After-Ms", value)])

        expectEqual(headers.retryAfter(date: Date()), .milliseconds(wait))
    }
}
