import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CacheRulesTests {
    /// What a response of the year 2000 with these fields is good for, some seconds later.
    struct Row: Sendable, CustomTestStringConvertible {
        var response: HTTP.Headers
        var later: Double
        var request: HTTP.Headers = [:]
        var scope = CachePolicy.Scope.private
        var status: HTTP.Status = 200
        var url = "https://a.example/"
        var expected: String

        var testDescription: String {
            let fields = response.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
            return "\(fields) after \(later) s is \(expected)"
        }
    }

    static let year2000 = Date(timeIntervalSince1970: 946_684_800)

    static let rows: [Row] = [
        Row(response: ["Cache-Control": "max-age=10"], later: 9.9, expected: "serve"),
        Row(response: ["Cache-Control": "max-age=10"], later: 10, expected: "validate"),
        Row(response: ["Cache-Control": "max-age=10", "Age": "5"], later: 5, expected: "validate"),
        Row(response: ["Cache-Control": "max-age=10", "Age": "5"], later: 4, expected: "serve"),
        Row(
            response: ["Cache-Control": "max-age=99999999999999999999"],
            later: 1e12,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=9", "Age": "99999999999999999999"],
            later: 0,
            expected: "validate"
        ),
        Row(
            response: ["Date": "Fri, 31 Dec 1999 23:59:00 GMT", "Cache-Control": "max-age=30"],
            later: 0,
            expected: "validate"
        ),
        Row(response: ["Expires": "Sat, 01 Jan 2000 00:01:00 GMT"], later: 59, expected: "serve"),
        Row(
            response: ["Expires": "Sat, 01 Jan 2000 00:01:00 GMT"],
            later: 60,
            expected: "validate"
        ),
        Row(response: ["Expires": "0"], later: 0, expected: "validate"),
        Row(
            response: ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
            later: 2e11,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=9", "Expires": "0"],
            later: 8,
            expected: "serve"
        ),
        // A tenth of ten hours.
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 3599,
            expected: "serve"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 3600,
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Sun, 31 Dec 1950 14:00:00 GMT"],
            later: 86_400,
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 1,
            url: "https://a.example/?q",
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 1,
            status: 599,
            expected: "validate"
        ),
        Row(
            response: [
                "Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT", "Cache-Control": "public",
            ],
            later: 1,
            status: 599,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, s-maxage=99"],
            later: 50,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, s-maxage=99"],
            later: 50,
            scope: .shared,
            expected: "serve"
        ),
        Row(response: ["Cache-Control": "max-age=10, no-cache"], later: 0, expected: "validate"),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 0,
            request: ["Cache-Control": "no-cache"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 0,
            request: ["Cache-Control": "no-store"],
            expected: "forward"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 5.1,
            request: ["Cache-Control": "max-age=5"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 5,
            request: ["Cache-Control": "max-age=5"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 0,
            request: ["Cache-Control": "max-age=0"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 4,
            request: ["Cache-Control": "min-fresh=7"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 3,
            request: ["Cache-Control": "min-fresh=7"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "max-stale=10"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 21,
            request: ["Cache-Control": "max-stale=10"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, must-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, proxy-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, proxy-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            scope: .shared,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "s-maxage=10"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            scope: .shared,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "only-if-cached"],
            expected: "refuse"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "only-if-cached, max-stale"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 15,
            expected: "serve and revalidate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 15.1,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5, must-revalidate"],
            later: 12,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 12,
            request: ["Cache-Control": "max-age=99"],
            expected: "validate"
        ),
        Row(response: ["Cache-Control": "max-age=10"], later: -4, expected: "serve"),
        Row(response: ["Cache-Control": "max-age=10"], later: -6, expected: "validate"),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": "de"],
            expected: "forward"
        ),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": "de", "Cache-Control": "only-if-cached"],
            expected: "refuse"
        ),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": " FR ,en"],
            expected: "serve"
        ),
    ]
}
