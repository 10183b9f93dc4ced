import Expectations
import InterceptorKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RateLimitInterceptor and HTTP")
struct RateLimitInterceptorHTTPTests {
    @Test(
        "learns from a response when to send again",
        arguments: [
            (429, ["Retry-After": "20", "RateLimit": #""x";r=0;t=40"#], .pause(.seconds(20))),
            (503, ["Retry-After": "20"], .pause(.seconds(20))),
            (200, ["Retry-After": "20"], nil),
            (429, [:], nil),
            (200, ["RateLimit": #""x";r=0;t=7"#], .pause(.seconds(7))),
            (200, ["RateLimit": #""x";r=3;t=7"#], .quota(remaining: 3, resetsIn: .seconds(7))),
            (301, ["RateLimit": #""x";r=0;t=7"#], nil),
            (200, ["RateLimit": #""x";r=0"#], nil),
            (
                200, ["RateLimit": #""x";r=0"#, "RateLimit-Policy": #""x";q=9;w=60"#],
                .pause(.seconds(60))
            ),
            (
                200, ["RateLimit": #""x";r=5;t=9"#, "RateLimit-Policy": #""x";q=9;qu="bytes""#],
                nil
            ),
            (
                200, ["RateLimit": #""x";r=5;t=9, "y";r=2;t=3, "z";r=2;t=8"#],
                .quota(remaining: 2, resetsIn: .seconds(8))
            ),
            (200, ["RateLimit": #""x";r=0;t=3, "y";r=0;t=8, "z";r=1;t=9"#], .pause(.seconds(8))),
            (200, ["RateLimit": #""x";r=0;t=7, broken"#], nil),
        ] as [(Int, HTTP.Headers, RateHint?)]
    )
    func advice(status: Int, headers: HTTP.Headers, advice: RateHint?) {
        let response = HTTP.Response(HTTP.Status(status), headers: headers)

        expectEqual(response.rateHint(date: Date()), advice)
    }
}
